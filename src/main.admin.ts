import 'reflect-metadata';
import { runAdmin } from './app/cli/run-admin.js';

process.exitCode = await runAdmin(process.argv.slice(2));
