import { closeSync, openSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { ImageProcessPool } from '../../../dist/infra/image/process/image-process-pool.js';
import { ThumbnailProcesses } from '../../../dist/infra/image/thumbnails/thumbnail-process.js';

/**
 * Opens files until this process may open no more, and asks for a decoder and a thumbnail; then closes the files and
 * asks for a decoder again. Prints the outcomes. A separate program, because its parent limits its file descriptors.
 */
const [dataDir, scratchDir] = process.argv.slice(2);
const hiddenDirs = [dataDir, scratchDir];
const pool = new ImageProcessPool('decoder', {
  processes: 1,
  maxWaiting: 0,
  dataBytes: 1e9,
  fileBytes: 1e8,
  hiddenDirs,
  workRoot: scratchDir,
  warn: () => undefined,
});
const thumbnails = new ThumbnailProcesses(hiddenDirs);
const limits = { sidePixels: 64, maxPixels: 1e6, maxDecodingBytes: 1e8 };
const { signal } = new AbortController();
const code = (work) =>
  work.then(
    () => 'done',
    (error) => error.code,
  );

const files = [];
try {
  for (;;) files.push(openSync('/dev/null'));
} catch (error) {
  files.full = error.code;
}
const decoder = await code(pool.use(async () => undefined));
const thumbnail = await code(thumbnails.make(Buffer.alloc(8), limits, signal));
// Node.js reports a failed start with a later tick.
await turn();
for (const file of files) closeSync(file);
const later = await code(pool.use(async () => undefined));
process.stdout.write(JSON.stringify({ full: files.full, decoder, thumbnail, later }));
await pool.close();
