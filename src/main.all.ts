import 'reflect-metadata';
import { runSupervisor } from './supervisor/run-supervisor.js';

process.exit(await runSupervisor());
