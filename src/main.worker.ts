import 'reflect-metadata';
import { runRole } from './app/role/run-role.js';
import { startWorker } from './app/worker/start-worker.js';

await runRole('worker', startWorker);
