// `npm run demo [-- photo]`: every operation at every level on one photo, see src/main.demo.ts.
import { runBuilt } from './lib/run-built.mjs';

// npm changes to the repository, but the path of a photo is relative to the user's current folder.
await runBuilt('main.demo', process.env.INIT_CWD ?? process.cwd());
