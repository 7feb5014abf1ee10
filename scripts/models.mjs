// `npm run models -- …`: the model repository, also beside a running service, see src/main.models.ts and
// tools/eval.
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/main.models');
