import type { Choose } from '../administered.js';
import { type CommandLine, numberOption } from '../command-line.mjs';
import {
  listModelVersions,
  reloadModelVersions,
  rollBackModel,
  serveModelVersion,
} from './model-commands.js';

const OPERATION = ['<operation>', 'such as upscale'] as const;
const HIGHEST = 'highest';
const readNumber = numberOption('The version', { from: 1, to: 999_999_999, whole: true });
const readVersion = (text: string): number | null => (text === HIGHEST ? null : readNumber(text));

/** The commands for the models of all workers. */
export function addModelCommands(program: CommandLine, choose: Choose): void {
  const model = program.command('model').description('the models of all workers');
  model
    .command('list')
    .description('list every version, its state, and the workers that have loaded it')
    .action(() => choose(listModelVersions));
  model
    .command('reload')
    .description('make every worker look at its models now, and try again what was refused')
    .action(() => choose(reloadModelVersions));
  model
    .command('serve')
    .description('choose the version that serves')
    .argument(...OPERATION)
    .argument('<version>', `number of the version, or ${HIGHEST}: the highest valid one`, readVersion)
    .action((operation, version) => choose(serveModelVersion(operation, version)));
  model
    .command('roll-back')
    .description('let the version before serve')
    .argument(...OPERATION)
    .action((operation) => choose(rollBackModel(operation)));
}
