// `npm run demo [-- photo]`: every operation at every level on one photo, see src/main.demo.ts.
import { runBuilt } from './lib/run-built.mjs';

// npm goes to the repository; a photo is named from where the person is.
await runBuilt('main.demo', process.env.INIT_CWD ?? process.cwd());
