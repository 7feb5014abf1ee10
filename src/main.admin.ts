import 'reflect-metadata';
import { endOnSignals } from './app/role/end-on-signals.js';

endOnSignals();
const { runAdmin } = await import('./cli/run-admin.js');
process.exitCode = await runAdmin(process.argv.slice(2));
