// Enhances every image in a folder, a few at a time. After an interruption, run it again to continue:
// node batch-folder.mjs photos better
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { ImageEnhancement, ImageEnhancementError, QuotaExceededError } from 'image-enhancement-client';

const [from, to] = process.argv.slice(2);
const ORDER = { operation: 'auto_enhance', level: 'medium' };
const AT_ONCE = 4;
const ATTEMPTS = 3;
// The job was canceled, or the service no longer has the source, the result, or the upload for its key.
const OVER = new Set(['canceled', 'gone', 'not_found', 'idempotency_mismatch']);

const client = new ImageEnhancement();
await mkdir(to, { recursive: true });
const names = (await readdir(from)).filter((name) => /\.(jpe?g|png|webp|avif)$/i.test(extname(name)));
const waiting = names.filter((name) => !existsSync(join(to, name)));
console.log(`${waiting.length} of ${names.length} images to do`);

// A note in the results folder identifies each unfinished image: its job, or the idempotency key of the next one. A
// later run, even days later, continues with that job and pays for no second one. A failed job costs nothing, but its
// key still refers to it, so another attempt needs a new key. Identical photos have separate notes, because a new
// attempt in one lane must not separate the others from their job.
async function enhance(name) {
  const image = await readFile(join(from, name));
  const digest = createHash('sha256')
    .update(JSON.stringify([ORDER, name]))
    .update(image)
    .digest('hex');
  const note = join(to, `.${digest}.job`);
  let known = (existsSync(note) && readFileSync(note, 'utf8')) || digest;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const onProgress = ({ job }) => job !== null && replace(note, job.id);
      const result = known.startsWith('job_')
        ? await client.result(known)
        : await client.enhance(image, { ...ORDER, idempotencyKey: known, onProgress });
      await result.save(join(to, name));
      rmSync(note, { force: true });
      return result;
    } catch (error) {
      if (!error.retryable && !OVER.has(error.code)) throw error;
      known = randomUUID();
      replace(note, known);
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

// Replaces the note atomically, so that a killed run still knows what it has paid for.
function replace(note, text) {
  const draft = `${note}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, note);
}

async function lane() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    try {
      const result = await enhance(name);
      console.log(`${name}: ${result.info.width} × ${result.info.height}`);
    } catch (error) {
      if (!(error instanceof ImageEnhancementError)) throw error;
      console.error(`${name}: ${error.code}: ${error.message}`);
      process.exitCode = 1;
      // The other images would be refused, too.
      if (error instanceof QuotaExceededError) waiting.length = 0;
    }
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, lane));
