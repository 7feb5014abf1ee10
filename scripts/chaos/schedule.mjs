import { seededRandom } from './random.mjs';

const ROLES = ['api', 'worker', 'dispatcher'];
const INSTANCES = [1, 2];

/**
 * Every fault: its possible targets, and the range of its duration in milliseconds. A target is a role process
 * (`worker-1`), a link between a role process and a server (`worker-1/postgres`), or something that exists only once.
 */
const KINDS = {
  'kill-api': { targets: processes('api'), ms: [300, 2_000] },
  'kill-worker': { targets: processes('worker'), ms: [300, 2_000] },
  'kill-busy-worker': { targets: ['busy-worker'], ms: [300, 2_000] },
  'kill-dispatcher': { targets: processes('dispatcher'), ms: [300, 2_000] },
  'kill-postgres': { targets: ['postgres'], ms: [500, 4_000] },
  'kill-redis': { targets: ['redis'], ms: [500, 4_000] },
  pause: { targets: ROLES.flatMap(processes), ms: [1_000, 9_000] },
  drain: { targets: ROLES.flatMap(processes), ms: [0, 1_000] },
  'net-stall': { targets: ROLES.flatMap(links), ms: [1_000, 8_000] },
  'net-cut': { targets: ROLES.flatMap(links), ms: [500, 6_000] },
  'net-reset': { targets: ROLES.flatMap(links), ms: [0, 0] },
  'disk-data': { targets: ['data-disk'], ms: [4_000, 12_000] },
  'disk-scratch': { targets: ['scratch-disk'], ms: [4_000, 12_000] },
  clock: { targets: ['worker-2', 'dispatcher-2', 'api-2'], ms: [8_000, 15_000] },
  receiver: { targets: ['receiver'], ms: [1_000, 6_000] },
};

/** Names of all faults, as used by `--faults`. */
export const FAULTS = Object.keys(KINDS);

/** Without Redis, its faults cannot happen. */
export function usableFaults(faults, hasRedis) {
  return faults.filter((name) => hasRedis || name !== 'kill-redis');
}

/** Time between the starts of two faults, in milliseconds. Faults may overlap. */
const GAP_MS = [2_000, 6_000];
const CLOCK_OFFSETS_SECONDS = [-180, -45, 45, 180];

/**
 * The schedule of a seed: the same seed, duration and faults give the same list.
 * @param {{ seed: number, durationMs: number, faults: readonly string[], hasRedis: boolean }} plan
 * @returns {{ atMs: number, fault: string, target: string, durationMs: number, offsetSeconds?: number }[]}
 */
export function makeSchedule({ seed, durationMs, faults, hasRedis }) {
  const random = seededRandom(seed, 'faults');
  const usable = usableFaults(faults, hasRedis);
  const schedule = [];
  // Every fault occurs once, in random order, before any is repeated.
  let bag = [];
  for (let atMs = random.integer(1_000, 3_000); atMs < durationMs; atMs += random.integer(...GAP_MS)) {
    if (bag.length === 0) bag = shuffled(usable, random);
    const fault = bag.pop();
    if (fault === undefined) return [];
    const { targets, ms } = KINDS[fault];
    const target = random.pick(targets.filter((name) => hasRedis || !name.endsWith('/redis')));
    const entry = { atMs, fault, target, durationMs: random.integer(...ms) };
    schedule.push(
      fault === 'clock' ? { ...entry, offsetSeconds: random.pick(CLOCK_OFFSETS_SECONDS) } : entry,
    );
  }
  return schedule;
}

function shuffled(list, random) {
  const left = [...list];
  return list.map(() => left.splice(random.integer(0, left.length - 1), 1)[0]);
}

function processes(role) {
  return INSTANCES.map((number) => `${role}-${number}`);
}

function links(role) {
  return processes(role).flatMap((name) => [`${name}/postgres`, `${name}/redis`]);
}
