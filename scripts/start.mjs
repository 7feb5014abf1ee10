// `npm start`: the whole service, see src/main.all.ts.
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('main.all');
