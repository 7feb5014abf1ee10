/** Images degrade too much below this quality. */
export const LOWEST_QUALITY = 20;
/** The share of the limit that counts as close enough, because the next quality step would gain little. */
const CLOSE = 0.92;
/** Maximum number of encodes of one result. */
const MAX_ATTEMPTS = 8;
/** How the logarithm of the size grows with each step of quality, until two sizes are known. */
const TYPICAL_GROWTH = 0.03;

export interface FittingEncode {
  readonly quality: number;
  readonly bytes: number;
}

export interface FitOptions {
  /** The highest quality, 1–100. */
  readonly quality: number;
  readonly maxBytes: number;
}

/**
 * Finds a high quality at which a result takes at most `maxBytes`: encodes at the requested quality, then searches
 * below it for the highest quality that fits.
 * @param encode encodes at a quality and resolves with the size in bytes
 * @returns the best encode that fits, or the smallest one when even the lowest quality does not fit
 */
export async function fitBytes(
  encode: (quality: number) => Promise<number>,
  { quality, maxBytes }: FitOptions,
): Promise<FittingEncode> {
  const lowest = Math.min(LOWEST_QUALITY, quality);
  let above: FittingEncode = { quality, bytes: await encode(quality) };
  if (above.bytes <= maxBytes) return above;
  let below: FittingEncode | undefined;
  for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
    const next =
      below === undefined ? guessBelow(above, { attempt, lowest, maxBytes }) : guess(above, below, maxBytes);
    const clamped = Math.min(
      above.quality - 1,
      Math.max(below === undefined ? lowest : below.quality + 1, next),
    );
    if (clamped < lowest || clamped <= (below?.quality ?? 0)) break;
    const tried = { quality: clamped, bytes: await encode(clamped) };
    if (tried.bytes > maxBytes) above = tried;
    else below = tried;
    if (below !== undefined && below.bytes >= CLOSE * maxBytes) break;
  }
  return below ?? above;
}

/** A quality that may fit, while none is known to: a typical one first, then halfway to the lowest. */
function guessBelow(
  above: FittingEncode,
  {
    attempt,
    lowest,
    maxBytes,
  }: { readonly attempt: number; readonly lowest: number; readonly maxBytes: number },
): number {
  if (attempt === MAX_ATTEMPTS) return lowest;
  if (attempt > 2) return Math.floor((above.quality + lowest) / 2);
  return Math.floor(above.quality - Math.log(above.bytes / maxBytes) / TYPICAL_GROWTH);
}

/** The quality at which the size reaches the limit, assuming that its logarithm grows linearly. */
function guess(above: FittingEncode, below: FittingEncode, maxBytes: number): number {
  const excess = Math.log(above.bytes / maxBytes);
  const growth = Math.log(above.bytes / below.bytes) / (above.quality - below.quality);
  const even = above.quality - excess / Math.max(growth, 0.001);
  // Sizes grow faster at high qualities, so the linear guess is too low, while bisection alone is slow.
  return Math.floor((even + (above.quality + below.quality) / 2) / 2 + 0.5);
}
