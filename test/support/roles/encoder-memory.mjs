import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeToFile } from '../../../dist/infra/image/codec/encode.js';
import { PixelFile } from '../../../dist/infra/image/codec/pixel-file.js';
import { ImageEncoder } from '../../../dist/infra/image/encoder/image-encoder.js';

/**
 * Encodes pixels and prints by how many bytes the resident memory of this process grows at most. A separate program:
 * in the process of the specs, freed memory would serve the encode, or other specs would use more.
 * Arguments: the data folder; the file of pixels, its width and height; `inside` to encode in this process, `outside`
 * to use an encoder process; the options of the encode as JSON.
 */
const [dataDir, path, width, height, where, options] = process.argv.slice(2);
const encoder = new ImageEncoder({
  processes: 1,
  maxWaiting: 1,
  dataBytes: 1.3e9,
  fileBytes: 1e8,
  hiddenDirs: [dataDir, join(dataDir, 'scratch')],
  workRoot: join(dataDir, 'scratch'),
  warn: () => undefined,
});
const encode = where === 'inside' ? encodeToFile : encoder.encodeToFile.bind(encoder);
const pixels = await PixelFile.adopt(path, { width: Number(width), height: Number(height), channels: 4 });
// Sets the peak (VmHWM) to the current size (VmRSS).
writeFileSync('/proc/self/clear_refs', '5');
const before = statusBytes('VmRSS');
await encode(pixels, join(dataDir, 'encoded'), JSON.parse(options));
process.stdout.write(String(statusBytes('VmHWM') - before));
await pixels.close();
await encoder.close();

function statusBytes(name) {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]) * 1_024;
}
