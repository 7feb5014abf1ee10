import { parseArgs } from 'node:util';
import { SetupError } from '../lib/setup-error.mjs';
import { FAULTS } from './schedule.mjs';

export const USAGE = `npm run chaos -- --seed N [--minutes M] [--redis] [--supervisor] [--faults a,b] [--keep]
npm run chaos -- --check PATH

Runs two processes of each role under load, injects faults from a seeded schedule, heals everything, and checks
from the records that no acknowledged work was lost or done twice. Exit code 1 means that a promise was broken.

  --seed        whole number that decides the schedule of faults; default 1
  --minutes     how long faults are injected; default 2
  --redis       carry the job queue on Redis (needs redis-server)
  --supervisor  run one of the two processes of each role under the supervisor of npm start
  --faults      only these faults, separated by commas: ${FAULTS.join(', ')}
  --keep        keep the folder of the run also when nothing was violated
  --check       check the history file of an earlier run again`;

/** @returns the options of a run, or `undefined` for --help. @throws SetupError */
export function readOptions(args) {
  const values = parse(args);
  if (values.help) return undefined;
  const faults = values.faults?.split(',') ?? FAULTS;
  const unknown = faults.filter((name) => !FAULTS.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(`--faults has unknown names: ${unknown.join(', ')}. Known: ${FAULTS.join(', ')}.`);
  }
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new SetupError(`--seed must be a whole number from 0, not "${values.seed}".`);
  }
  const minutes = Number(values.minutes);
  if (!(minutes > 0 && minutes <= 1_440)) {
    throw new SetupError(`--minutes must be above 0 and at most 1440, not "${values.minutes}".`);
  }
  const { redis, supervisor, keep, check } = values;
  return { seed, minutes, redis, supervisor, keep, check, faults };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        minutes: { type: 'string', default: '2' },
        redis: { type: 'boolean', default: false },
        supervisor: { type: 'boolean', default: false },
        faults: { type: 'string' },
        keep: { type: 'boolean', default: false },
        check: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new SetupError(`${error.message}\n\n${USAGE}`);
  }
}
