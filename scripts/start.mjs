// `npm start`: the whole service, see src/main.all.ts.
import { runBuilt } from './lib/run-built.mjs';
import { runScript } from './lib/run-script.mjs';

await runScript({
  invocation: 'npm start --',
  description:
    'Starts the service: api, worker, dispatcher and, without DATABASE_URL, a database. It is configured by environment variables (docs/configuration.md).',
  main: () => runBuilt('main.all'),
});
