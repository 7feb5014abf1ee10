import { join } from 'node:path';
import { ImageEncoder } from '../../../dist/infra/image/encoder/image-encoder.js';

/** Starts an encoder below the folder of its first argument and waits to be killed. */
const dataDir = process.argv[2];
const encoder = new ImageEncoder({
  processes: 1,
  maxWaiting: 1,
  dataBytes: 1e9,
  fileBytes: 1e8,
  hiddenDirs: [dataDir, join(dataDir, 'scratch')],
  workRoot: join(dataDir, 'scratch'),
  warn: () => undefined,
});
await encoder.pool.warm();
setInterval(() => undefined, 1_000);
