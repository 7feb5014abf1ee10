// Enhances every image of a folder, a few at once, and goes on where it stopped when it is started again:
// node batch-folder.mjs photos better
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import {
  ImageEnhancement,
  ImageEnhancementError,
  JobFailedError,
  QuotaExceededError,
} from 'image-enhancement-client';

const [from, to] = process.argv.slice(2);
const ORDER = { operation: 'auto_enhance', level: 'medium' };
const AT_ONCE = 4;
const ATTEMPTS = 3;

const client = new ImageEnhancement();
await mkdir(to, { recursive: true });
const names = (await readdir(from)).filter((name) => /\.(jpe?g|png|webp|avif)$/i.test(extname(name)));
const waiting = names.filter((name) => !existsSync(join(to, name)));
console.log(`${waiting.length} of ${names.length} images to do`);

// The same image and order have the same key, so a second start does not pay for the same job again. A job that has
// failed stays what its key stands for, at no cost; where another one may succeed, it needs another key.
async function enhance(image) {
  const digest = createHash('sha256').update(JSON.stringify(ORDER)).update(image).digest('hex');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.enhance(image, {
        ...ORDER,
        idempotencyKey: attempt === 1 ? digest : `${digest}-${attempt}`,
      });
    } catch (error) {
      const mayHelp = error instanceof JobFailedError && (error.retryable || error.code === 'canceled');
      if (!mayHelp || attempt === ATTEMPTS) throw error;
    }
  }
}

async function lane() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    try {
      const result = await enhance(await readFile(join(from, name)));
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
