import 'reflect-metadata';
import { endOnSignals } from './app/role/end-on-signals.js';

endOnSignals();
const { startsProgram } = await import('./cli/role-program.js');
if (await startsProgram('api')) {
  const { runRole } = await import('./app/role/run-role.js');
  const { startApi } = await import('./app/api/start-api.js');
  await runRole('api', startApi);
}
