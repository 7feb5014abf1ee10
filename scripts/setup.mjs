// `npm run setup`: npm packages, links of the PostgreSQL programs, build. Every other command does this, too.
import { runScript } from './lib/run-script.mjs';
import { setup } from './lib/setup.mjs';

await runScript({
  invocation: 'npm run setup --',
  description: 'Installs the npm packages and builds the service. Does nothing when all is current.',
  main: setup,
});
