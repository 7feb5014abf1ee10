// Enhances every image of a folder, a few at once, and goes on where it stopped when it is started again:
// node batch-folder.mjs photos better
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ImageEnhancement, ImageEnhancementError, QuotaExceededError } from 'image-enhancement-client';

const [from, to] = process.argv.slice(2);
const ORDER = { operation: 'auto_enhance', level: 'medium' };
const AT_ONCE = 4;

const client = new ImageEnhancement();
await mkdir(to, { recursive: true });
const names = (await readdir(from)).filter((name) => /\.(jpe?g|png|webp|avif)$/i.test(extname(name)));
const waiting = names.filter((name) => !existsSync(join(to, name)));
console.log(`${waiting.length} of ${names.length} images to do`);

async function lane() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    try {
      const image = await readFile(join(from, name));
      // The same image and order have the same key, so a second start does not pay for the same job again.
      const idempotencyKey = createHash('sha256').update(JSON.stringify(ORDER)).update(image).digest('hex');
      const result = await client.enhance(image, { ...ORDER, idempotencyKey });
      await result.save(join(to, name));
      console.log(`${name}: ${result.info.width} × ${result.info.height}`);
    } catch (error) {
      if (!(error instanceof ImageEnhancementError)) throw error;
      console.error(`${name}: ${error.code}: ${error.message}`);
      process.exitCode = 1;
      // The others would only hear the same.
      if (error instanceof QuotaExceededError) waiting.length = 0;
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, lane));
