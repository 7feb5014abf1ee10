// `npm run admin -- …`: accounts and keys, also beside a running service, see src/main.admin.ts.
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('main.admin');
