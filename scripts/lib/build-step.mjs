// The first and the last step of `npm run build`: `begin`, and `finish` after the compilers.
import { beginBuild, finishBuild } from './build.mjs';
import { runMain } from './setup-error.mjs';

const steps = { begin: beginBuild, finish: () => finishBuild((text) => process.stderr.write(`${text}\n`)) };
await runMain(steps[process.argv[2]]);
