import 'reflect-metadata';
import { endOnSignals } from './app/role/end-on-signals.js';

endOnSignals();
const { startsProgram } = await import('./cli/role-program.js');
if (await startsProgram('all')) {
  const { runSupervisor } = await import('./supervisor/run-supervisor.js');
  process.exit(await runSupervisor());
}
