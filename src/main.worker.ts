import 'reflect-metadata';
import { exitAfterRuns } from './inference/device/threads/exit-after-runs.js';
import { runRole } from './app/role/run-role.js';
import { startWorker } from './app/worker/start-worker.js';

await runRole('worker', startWorker, exitAfterRuns);
