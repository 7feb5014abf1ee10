import 'reflect-metadata';
import { runAdmin } from './cli/run-admin.js';

process.exitCode = await runAdmin(process.argv.slice(2));
