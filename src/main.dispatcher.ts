import 'reflect-metadata';
import { startDispatcher } from './app/dispatcher/start-dispatcher.js';
import { runRole } from './app/role/run-role.js';

await runRole('dispatcher', startDispatcher);
