// `npm run bench -- <name> [--json]`: measures the built service on this machine.
import { declareBenches } from './bench/command-line.mjs';
import { runScript } from './lib/run-script.mjs';
import { setup } from './lib/setup.mjs';

let chosen;

await runScript({
  invocation: 'npm run bench --',
  description: 'Measures the service on this machine. Exit code 1: a target was missed; 2: wrong arguments.',
  declare: (program, lines) =>
    declareBenches(program, lines, (name, options) => {
      chosen = { name, options };
    }),
  main: async () => {
    await setup();
    const { run } = await import(`./bench/${chosen.name}.mjs`);
    const { missesTarget } = await import('./bench/verdict.mjs');
    // A benchmark with targets returns its results.
    if (missesTarget(await run(chosen.options))) process.exitCode = 1;
  },
});
