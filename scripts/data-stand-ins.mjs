// `npm run data:stand-ins`: draws replacements for the photos and files that some specs need.
import { join, resolve } from 'node:path';
import { ROOT } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';
import { setupPackages } from './lib/setup.mjs';

await runScript({
  invocation: 'npm run data:stand-ins --',
  description:
    'Draws stand-ins for the photos, masks and hostile files that some specs look for, so that those specs run. The files are the same every time. Folders that exist are not changed, unless everything in them was drawn.',
  declare: (program) =>
    program.option('--out <dir>', 'where to write (default: ../shared/data, where the specs look)'),
  main: async ({ out }) => {
    const folder = out === undefined ? join(ROOT, '..', 'shared', 'data') : resolve(out);
    await setupPackages();
    const { writeStandIns } = await import('./stand-ins/write-stand-ins.mjs');
    const { drawn, kept } = await writeStandIns(folder);
    process.stdout.write(`Drawn in ${folder}: ${drawn.join(', ') || 'nothing'}\n`);
    if (kept.length > 0) process.stdout.write(`Left as they are: ${kept.join(', ')}\n`);
  },
});
