// `npm run fuzz -- --minutes M`: sends mutated files and requests to everything that reads untrusted input.
import { declareOptions, DESCRIPTION, fuzzOptions } from './fuzz/command-line.mjs';
import { runScript } from './lib/run-script.mjs';
import { setup } from './lib/setup.mjs';

await runScript({
  invocation: 'npm run fuzz --',
  description: DESCRIPTION,
  declare: declareOptions,
  main: async (options) => {
    await setup();
    const { runFuzz } = await import('./fuzz/run.mjs');
    const { findings } = await runFuzz(fuzzOptions(options), (text) => process.stdout.write(`${text}\n`));
    process.exitCode = findings > 0 ? 1 : 0;
  },
});
