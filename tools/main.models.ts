import { INTERRUPTED, runModels } from '#src/cli/models/run-models.js';
import { exitAfterRuns } from '#src/inference/device/threads/exit-after-runs.js';
import { addEvalCommand } from './eval/eval-command.js';

// The program of src/main.models.ts with `eval` added.
const code = await runModels(process.argv.slice(2), addEvalCommand);
if (code === INTERRUPTED) process.kill(process.pid, 'SIGINT');
await exitAfterRuns(code);
