/** Steps within a binary unit, whose multiples are round in this unit or the next. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 256, 512, 1024] as const;
const MAX_STEPS = 4;
const KILO = 1024;

/**
 * Ticks of an axis of bytes, from zero to at least `largest`. They are round in the units of `formatBytes`: those of a
 * chart library are round in bytes.
 */
export function byteTicks(largest: number): readonly number[] {
  const least = Math.max(largest / MAX_STEPS, KILO);
  const unit = KILO ** Math.floor(Math.log(least) / Math.log(KILO));
  const step = unit * (STEPS.find((candidate) => candidate * unit >= least) ?? KILO);
  const count = Math.max(1, Math.ceil(largest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
