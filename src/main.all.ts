import 'reflect-metadata';
import { runSupervisor } from './app/supervisor/run-supervisor.js';

process.exit(await runSupervisor());
