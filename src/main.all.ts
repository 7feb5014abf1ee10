import 'reflect-metadata';
import { endOnSignals } from './app/role/end-on-signals.js';

endOnSignals();
const { runSupervisor } = await import('./supervisor/run-supervisor.js');
process.exit(await runSupervisor());
