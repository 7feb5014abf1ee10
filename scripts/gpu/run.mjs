// Started by scripts/gpu/run.sh. Runs the GPU tests of docs/gpu.md, the most valuable first, and writes the output of
// each to results.json after every step.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gpuSteps } from './gpu-steps.mjs';
import { measuredVersion } from './measured-version.mjs';
import { Results } from './results.mjs';
import { runProgram } from './run-program.mjs';
import { isBuildCurrent } from '../lib/build.mjs';
import { arePackagesCurrent } from '../lib/packages.mjs';
import { ROOT } from '../lib/paths.mjs';
import { runScript } from '../lib/run-script.mjs';
import { SetupError } from '../lib/setup-error.mjs';

await runScript({
  invocation: 'scripts/gpu/run.sh',
  description:
    'Tests the service on a GPU, step by step. Each step writes its JSON to results.json. Steps that have measured everything are not run again.',
  declare: (program, { numberOption, repeatedOption, wordOption }) =>
    program
      .option('--state <folder>', 'folder that keeps results between runs', '/tmp/gpu-kit')
      .option('--out <folder>', 'folder that gets a copy of results.json at the start and after every step')
      .option(
        '--minutes <n>',
        'time limit of the run; ends the running step',
        numberOption('--minutes', { above: 0 }),
        25,
      )
      .option(
        '--step <name>',
        `run only this step; may be repeated: ${NAMES().join(', ')}`,
        repeatedOption(wordOption('--step', NAMES())),
      )
      .option(
        '--dry-run',
        'run every step on a small scale on the CPU and a software GPU; the results are marked',
      ),
  main: async (options) => {
    process.exitCode = await runSteps(options);
  },
});

function NAMES() {
  return gpuSteps({ isDryRun: false }).map(({ name }) => name);
}

/** @returns exit code: 0 when every step has measured everything */
async function runSteps({ state, out, minutes, step: wanted, dryRun }) {
  if (!arePackagesCurrent() || !isBuildCurrent())
    throw new SetupError(
      'The kit was packed from another version than this checkout. Pack it again from this version.',
    );
  const isDryRun = dryRun === true;
  mkdirSync(state, { recursive: true });
  const path = join(state, isDryRun ? 'dry-run.json' : 'results.json');
  const results = new Results(path, out, measuredVersion(ROOT));
  results.copyOut();
  const endsMs = performance.now() + minutes * 60_000;
  let failed = 0;
  for (const { name, title, limitMinutes, command, env, isRepeated } of gpuSteps({ isDryRun })) {
    if (wanted !== undefined && !wanted.includes(name)) continue;
    if (isRepeated !== true && results.hasSucceeded(name)) {
      say(`✓ ${name}: done in an earlier run`);
      continue;
    }
    const leftMs = endsMs - performance.now();
    if (leftMs <= 0) {
      say(`- ${name}: no time left`);
      failed += 1;
      continue;
    }
    say(`… ${name}: ${title}`);
    const limitMs = Math.min(leftMs, limitMinutes * 60_000);
    const outcome = await runProgram(command, { env, limitMs });
    results.put({ name, title, dryRun: isDryRun, at: new Date().toISOString(), ...outcome });
    say(`${outcome.ok ? '✓' : '✗'} ${name} (${outcome.seconds} s)${outcome.ok ? '' : `: ${outcome.fault}`}`);
    // A machine without a GPU lacks tools, too.
    const isExpected = isDryRun && outcome.result?.skipped !== undefined;
    if (!outcome.ok && !isExpected) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
