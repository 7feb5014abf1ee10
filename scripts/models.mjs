// `npm run models -- …`: manages the model repository, even while the service is running. See src/main.models.ts and
// tools/eval.
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/main.models');
