import { exitAfterRuns } from './inference/device/threads/exit-after-runs.js';
import { INTERRUPTED, runModels } from './cli/models/run-models.js';

const code = await runModels(process.argv.slice(2));
// A device thread may be in the middle of a run, which an orderly exit would wait for or stumble over.
if (code === INTERRUPTED) process.kill(process.pid, 'SIGINT');
await exitAfterRuns(code);
