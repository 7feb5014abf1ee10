// `npm run chaos -- --seed N`: injects faults under load and checks the guarantees. See docs/reliability.md.
import { checkHistory } from './chaos/checks/check-history.mjs';
import { chaosOptions, declareOptions, DESCRIPTION } from './chaos/command-line.mjs';
import { readHistory } from './chaos/history.mjs';
import { runAmongOwnDisks } from './chaos/servers/own-disks.mjs';
import { describeResult } from './chaos/report.mjs';
import { runScript } from './lib/run-script.mjs';

await runScript({
  invocation: 'npm run chaos --',
  description: DESCRIPTION,
  declare: declareOptions,
  main: async (options) => {
    if (options.check === undefined) {
      const chosen = chaosOptions(options);
      process.exitCode = await (runAmongOwnDisks() ?? run(chosen));
    } else process.exitCode = checkAgain(options.check);
  },
});

/** @returns the exit code */
async function run(options) {
  const { prepare } = await import('./chaos/prepare.mjs');
  await prepare(options);
  const { removeRun, runChaos } = await import('./chaos/run.mjs');
  const { dir, historyPath } = await runChaos(options, (text) => process.stderr.write(`${text}\n`));
  const result = checkHistory(readHistory(historyPath));
  const isKept = options.keep || result.violations.length > 0;
  process.stdout.write(`${describeResult(result, { seed: options.seed, historyPath })}\n`);
  if (isKept) process.stdout.write(`The folder of the run is ${dir}\n`);
  else await removeRun(dir);
  return result.violations.length > 0 ? 1 : 0;
}

function checkAgain(historyPath) {
  const entries = readHistory(historyPath);
  const result = checkHistory(entries);
  const seed = entries[0]?.options?.seed;
  process.stdout.write(`${describeResult(result, { seed, historyPath })}\n`);
  return result.violations.length > 0 ? 1 : 0;
}
