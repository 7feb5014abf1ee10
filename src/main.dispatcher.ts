import 'reflect-metadata';
import { endOnSignals } from './app/role/end-on-signals.js';

endOnSignals();
const { startsProgram } = await import('./cli/role-program.js');
if (await startsProgram('dispatcher')) {
  const { runRole } = await import('./app/role/run-role.js');
  const { startDispatcher } = await import('./app/dispatcher/start-dispatcher.js');
  await runRole('dispatcher', startDispatcher);
}
