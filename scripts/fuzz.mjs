// `npm run fuzz -- --minutes M`: mutated files and requests against everything that reads what strangers send.
import { readOptions, USAGE } from './fuzz/options.mjs';
import { runMain } from './lib/setup-error.mjs';
import { setup } from './lib/setup.mjs';

await runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  await setup();
  const { runFuzz } = await import('./fuzz/run.mjs');
  const { findings } = await runFuzz(options, (text) => process.stdout.write(`${text}\n`));
  process.exitCode = findings > 0 ? 1 : 0;
});
