import type { NamedTensors, Tensor } from '../../tensor.js';

/** The first output with a number that is NaN or infinite, from which a render would draw arbitrary pixels. */
export function nonFiniteOutput(maps: NamedTensors): string | undefined {
  return Object.keys(maps).find((name) => !allFinite(maps[name]!));
}

/** A loop with an index takes about 1 ms for the largest maps, `every` and `for … of` more than ten times as long. */
function allFinite({ data }: Tensor): boolean {
  for (let at = 0; at < data.length; at += 1) if (!Number.isFinite(data[at])) return false;
  return true;
}
