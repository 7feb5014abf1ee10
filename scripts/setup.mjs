// `npm run setup`: npm packages, PostgreSQL's links, build. Every other command does this by itself.
import { setup } from './lib/setup.mjs';
import { runMain } from './lib/setup-error.mjs';

await runMain(setup);
