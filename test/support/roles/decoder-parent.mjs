import { join } from 'node:path';
import { ImageDecoder } from '../../../dist/infra/image/decoder/image-decoder.js';

/** Starts a decoder below the folder of its first argument and waits to be killed. */
const dataDir = process.argv[2];
const decoder = new ImageDecoder({
  processes: 1,
  maxWaiting: 1,
  dataBytes: 1e9,
  fileBytes: 1e8,
  hiddenDirs: [dataDir, join(dataDir, 'scratch')],
  workRoot: join(dataDir, 'scratch'),
  timeoutMs: 10_000,
  timeoutMsPerMegapixel: 0,
  warn: () => undefined,
});
await decoder.pool.warm();
setInterval(() => undefined, 1_000);
