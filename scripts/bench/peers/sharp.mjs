// Decodes and encodes with sharp. Reads a line of JSON for each task: {"from", "to", "options"}.
import { createInterface } from 'node:readline';
import sharp from 'sharp';

const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

say({ ready: true });
for await (const line of createInterface({ input: process.stdin })) {
  const { from, to, options = {} } = JSON.parse(line);
  if (to === undefined) await sharp(from).raw().toBuffer();
  else await sharp(from).toFormat(to.split('.').at(-1), translated(options)).toFile(to);
  say({ done: true });
}

/** Translates Pillow's option names to sharp's. */
function translated({ quality, compress_level: compressionLevel }) {
  return quality === undefined ? { compressionLevel } : { quality };
}
