import type { Choose } from '../administered.js';
import { CANARY_SUBJECTS } from '../../models/repository/version-choice.js';
import { type CommandLine, numberOption, wordOption } from '../command-line.mjs';
import { LEVELS } from '../../kernel/operations.js';
import { compareModelVersions, showModelComparison } from './comparison-commands.js';
import {
  endModelCanary,
  listModelVersions,
  reloadModelVersions,
  rollBackModel,
  serveModelVersion,
  setModelCanary,
  setModelShadow,
  showCanaryFigures,
  showShadowFigures,
  stopModelShadow,
} from './model-commands.js';

const OPERATION = ['<operation>', 'such as upscale'] as const;
const PERCENT = numberOption('--percent', { from: 1, to: 100, whole: true });
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
  model
    .command('canary')
    .description('give a version to a share of the customers, or change the share')
    .argument(...OPERATION)
    .argument('<version>', 'number of the version', readNumber)
    .requiredOption('--percent <n>', 'share of the accounts or keys', PERCENT)
    .option(
      '--by <subject>',
      CANARY_SUBJECTS.join(' or '),
      wordOption('--by', CANARY_SUBJECTS),
      'account' as const,
    )
    .action((operation, version, { percent, by }) =>
      choose(setModelCanary(operation, { version, percent, by })),
    );
  model
    .command('canary-figures')
    .description('show jobs, failures and speed of a canary and of the version that serves')
    .argument(...OPERATION)
    .action((operation) => choose(showCanaryFigures(operation)));
  model
    .command('promote-canary')
    .description('let the canary serve all customers')
    .argument(...OPERATION)
    .action((operation) => choose(endModelCanary(operation, 'promote')));
  model
    .command('cancel-canary')
    .description('end a canary; its customers get the version that serves')
    .argument(...OPERATION)
    .action((operation) => choose(endModelCanary(operation, 'cancel')));
  addShadowCommands(model, choose);
  addComparisonCommands(model, choose);
}

function addShadowCommands(model: CommandLine, choose: Choose): void {
  model
    .command('shadow')
    .description(
      'run a share of the finished jobs on a version, too, and compare the results; or change the share',
    )
    .argument(...OPERATION)
    .argument('<version>', 'number of the version', readNumber)
    .requiredOption('--percent <n>', 'share of the jobs', PERCENT)
    .action((operation, version, { percent }) => choose(setModelShadow(operation, { version, percent })));
  model
    .command('shadow-figures')
    .description('show how the results of a shadow differ from those of the version that serves')
    .argument(...OPERATION)
    .action((operation) => choose(showShadowFigures(operation)));
  model
    .command('stop-shadow')
    .description('end a shadow run, and delete its figures')
    .argument(...OPERATION)
    .action((operation) => choose(stopModelShadow(operation)));
}

function addComparisonCommands(model: CommandLine, choose: Choose): void {
  model
    .command('compare')
    .description('compare two versions on a photo; a worker that has both runs them')
    .argument(...OPERATION)
    .argument('<a>', 'number of a version', readNumber)
    .argument('<b>', 'number of another version', readNumber)
    .requiredOption('--photo <file>', 'a JPEG, PNG, WebP or AVIF')
    .option('--level <level>', LEVELS.join(', '), wordOption('--level', LEVELS), 'medium' as const)
    .option('--out <folder>', 'where the pictures are written: source.webp, a.webp and b.webp')
    .option('--no-wait', 'do not wait for the result')
    .action((operation, a, b, { level, ...options }) =>
      choose(compareModelVersions({ operation, level, a, b }, options)),
    );
  model
    .command('comparison')
    .description('show a comparison of the last 24 hours that "model compare" has started')
    .argument('<id>', 'id of the comparison')
    .option('--out <folder>', 'where the pictures are written')
    .action((id, { out }) => choose(showModelComparison(id, out)));
}
