import { SetupError } from '../lib/setup-error.mjs';
import { OPERATIONS } from './load/load-client.mjs';
import { FAULTS, usableFaults } from './schedule.mjs';

export const DESCRIPTION =
  'Runs two processes of each role under load, injects faults from a seeded schedule, heals everything, and checks from the records that no acknowledged work was lost or done twice. Exit code 1: a promise was broken; 2: wrong arguments.';

/** Adds the options of `npm run chaos`. */
export function declareOptions(program, { listOption, numberOption }) {
  program
    .option(
      '--seed <n>',
      'whole number that decides the schedule of faults',
      numberOption('--seed', { from: 0, whole: true }),
      1,
    )
    .option(
      '--minutes <m>',
      'how long faults are injected',
      numberOption('--minutes', { above: 0, to: 1_440 }),
      2,
    )
    .option('--redis', 'keep the job queue in Redis (needs redis-server)')
    .option('--supervisor', 'run one of the two processes of each role under the supervisor of npm start')
    .option(
      '--faults <list>',
      `only these faults, separated by commas: ${FAULTS.join(', ')}`,
      listOption('--faults', FAULTS),
    )
    .option(
      '--operations <list>',
      `only these operations, separated by commas: ${OPERATIONS.join(', ')}`,
      listOption('--operations', OPERATIONS),
    )
    .option('--keep', 'keep the folder of the run even without a violation')
    .option('--check <path>', 'check the history file of an earlier run again');
}

/**
 * @returns the options in the form that `runChaos` takes
 * @throws SetupError when none of the faults could happen, because such a run would break no promise
 */
export function chaosOptions({
  seed,
  minutes,
  redis = false,
  supervisor = false,
  keep = false,
  faults = FAULTS,
  operations = OPERATIONS,
}) {
  if (usableFaults(faults, redis).length === 0)
    throw new SetupError(`These faults need --redis: ${faults.join(', ')}`, 2);
  return { seed, minutes, redis, supervisor, keep, faults, operations };
}
