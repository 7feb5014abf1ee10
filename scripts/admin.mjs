// `npm run admin -- …`: manages accounts and keys, even while the service is running. See src/main.admin.ts.
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('main.admin');
