// `npm run chaos -- --seed N`: faults under load, and what must hold all the same. See docs/reliability.md.
import { checkHistory } from './chaos/checks/check-history.mjs';
import { readHistory } from './chaos/history.mjs';
import { readOptions, USAGE } from './chaos/options.mjs';
import { runAmongOwnDisks } from './chaos/own-disks.mjs';
import { describeResult } from './chaos/report.mjs';
import { runMain } from './lib/setup-error.mjs';

await runMain(async () => {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) process.stdout.write(`${USAGE}\n`);
  else if (options.check === undefined) process.exitCode = await (runAmongOwnDisks() ?? run(options));
  else process.exitCode = checkAgain(options.check);
});

/** @returns the exit code */
async function run(options) {
  const { prepare } = await import('./chaos/prepare.mjs');
  await prepare();
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
