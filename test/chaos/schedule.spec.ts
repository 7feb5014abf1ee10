import { describe, expect, it } from 'vitest';
import { chaosOptions } from '../../scripts/chaos/command-line.mjs';
import { FAULTS, makeSchedule } from '../../scripts/chaos/schedule.mjs';

const PLAN = { seed: 7, durationMs: 600_000, faults: FAULTS, hasRedis: true };
const RUN = { seed: 7, minutes: 1 };

describe('the schedule of faults', () => {
  it('is the same for the same seed and different for another seed', () => {
    expect(makeSchedule(PLAN)).toEqual(makeSchedule({ ...PLAN }));
    expect(makeSchedule(PLAN)).not.toEqual(makeSchedule({ ...PLAN, seed: 8 }));
  });

  it('contains every fault, in chronological order and within the duration', () => {
    const schedule = makeSchedule(PLAN);
    expect(new Set(schedule.map(({ fault }) => fault))).toEqual(new Set(FAULTS));
    const times = schedule.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    expect(times.at(-1)).toBeLessThan(PLAN.durationMs);
  });

  it('has no Redis fault without Redis', () => {
    const text = JSON.stringify(makeSchedule({ ...PLAN, hasRedis: false }));
    expect(text).not.toContain('redis');
  });

  it('is refused when none of the requested faults can happen', () => {
    expect(() => chaosOptions({ ...RUN, faults: ['kill-redis'] })).toThrow(
      'These faults need --redis: kill-redis',
    );
    expect(chaosOptions({ ...RUN, faults: ['kill-redis'], redis: true }).faults).toEqual(['kill-redis']);
    expect(chaosOptions({ ...RUN, faults: ['kill-redis', 'pause'] }).faults).toEqual(['kill-redis', 'pause']);
  });

  it('uses only the requested faults', () => {
    const schedule = makeSchedule({ ...PLAN, faults: ['pause', 'net-cut'] });
    expect(new Set(schedule.map(({ fault }) => fault))).toEqual(new Set(['pause', 'net-cut']));
  });
});
