import 'reflect-metadata';
import { endOnSignals } from './app/role/end-on-signals.js';

endOnSignals();
const { startsProgram } = await import('./cli/role-program.js');
if (await startsProgram('worker')) {
  const { exitAfterRuns } = await import('./inference/device/threads/exit-after-runs.js');
  const { runRole } = await import('./app/role/run-role.js');
  const { startWorker } = await import('./app/worker/start-worker.js');
  await runRole('worker', startWorker, exitAfterRuns);
}
