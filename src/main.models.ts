import { runModels } from './app/cli/models/run-models.js';

// An interrupted command may leave a device thread at work.
process.exit(await runModels(process.argv.slice(2)));
