import { exitAfterRuns } from './inference/device/threads/exit-after-runs.js';
import { INTERRUPTED, runModels } from './cli/models/run-models.js';

const code = await runModels(process.argv.slice(2));
// A device thread may be in the middle of a run. A graceful exit would wait for it, or abort with a C++ error.
if (code === INTERRUPTED) process.kill(process.pid, 'SIGINT');
await exitAfterRuns(code);
