import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ImageDecoder } from '../../../dist/infra/image/decoder/image-decoder.js';

/**
 * Decodes one picture twice concurrently, in two processes, below the folder of its first argument, and prints the
 * outcome. A separate program, so that it can be started with fewer rights than the test.
 */
const [dataDir, picture] = process.argv.slice(2);
const warnings = [];
const decoder = new ImageDecoder({
  processes: 2,
  maxWaiting: 1,
  dataBytes: 1e9,
  fileBytes: 1e8,
  hiddenDirs: [dataDir, join(dataDir, 'scratch')],
  workRoot: join(dataDir, 'scratch'),
  timeoutMs: 10_000,
  timeoutMsPerMegapixel: 0,
  warn: (text) => warnings.push(text),
});
const file = readFileSync(picture);
const limits = { maxPixels: 1e6, expectedPixels: 1e4 };
const decode = async (name) => {
  const pixels = await decoder.decodeToFile(file, join(dataDir, name), limits);
  await pixels.remove();
  return [pixels.width, pixels.height];
};
const sizes = await Promise.all(['a', 'b'].map(decode));
process.stdout.write(
  JSON.stringify({ sizes, confinement: decoder.pool.confinement, warnings, uid: process.getuid() }),
);
await decoder.close();
