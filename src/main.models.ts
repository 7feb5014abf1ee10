import { runModels } from './app/cli/models/run-models.js';

process.exitCode = await runModels(process.argv.slice(2));
