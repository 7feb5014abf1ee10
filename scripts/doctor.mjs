// `npm run doctor [-- --json]`: what this machine can do and what to change, see src/main.doctor.ts.
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('main.doctor');
