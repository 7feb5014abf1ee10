import 'reflect-metadata';
import { startApi } from './app/api/start-api.js';
import { runRole } from './app/role/run-role.js';

await runRole('api', startApi);
