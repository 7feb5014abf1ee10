import { INTERRUPTED, runModels } from '#src/cli/models/run-models.js';
import { exitAfterRuns } from '#src/inference/device/threads/exit-after-runs.js';
import { addCompareCommand } from './compare/compare-command.js';
import { addEvalCommand } from './eval/eval-command.js';

// The same program as src/main.models.ts, with `eval` and `compare` added.
const code = await runModels(process.argv.slice(2), (program, choose) => {
  addEvalCommand(program, choose);
  addCompareCommand(program, choose);
});
if (code === INTERRUPTED) process.kill(process.pid, 'SIGINT');
await exitAfterRuns(code);
