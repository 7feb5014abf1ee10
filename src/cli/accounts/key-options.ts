import { normalizedNetwork } from '../../infra/net/ip-allow-list.js';
import { UsageError } from '../command-line.mjs';

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** At most one of these options is given. */
export interface ExpiryOptions {
  readonly expiresIn?: Date;
  readonly expiresAt?: Date;
  /** Former name of `expiresAt`. */
  readonly expires?: Date;
}

/** Expiry of a new key; null means never. @throws UsageError */
export function expiryOf({ expiresIn, expiresAt, expires }: ExpiryOptions): Date | null {
  const given = [expiresIn, expiresAt, expires].filter((date) => date !== undefined);
  if (given.length > 1) throw new UsageError('Give only one of --expires-in and --expires-at.');
  return given[0] ?? null;
}

/** Reads a duration from now, such as `90d`. @throws UsageError */
export function spanAfterNow(flag: string): (text: string) => Date {
  return (text) => {
    const spanMs = durationMs(text);
    if (spanMs === undefined || spanMs === 0)
      throw new UsageError(`${flag} must be a duration like 12h, 90d, or 52w, not "${text}".`);
    return new Date(Date.now() + spanMs);
  };
}

/** Reads a date in the future. @throws UsageError */
export function instantAfterNow(flag: string): (text: string) => Date {
  return (text) => {
    const date = new Date(text);
    if (Number.isNaN(date.getTime()))
      throw new UsageError(`${flag} must be a date like 2030-01-31, not "${text}".`);
    if (date.getTime() <= Date.now())
      throw new UsageError(`${flag} must be in the future; "${text}" is in the past.`);
    return date;
  };
}

/** Milliseconds of a duration such as `30m`, `12h`, `7d`, or `2w`; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** Reads the networks from which a new key may be used. @throws UsageError */
export function networksOption(text: string): readonly string[] {
  const networks = text.split(',').map((part) => {
    const network = normalizedNetwork(part);
    if (network === undefined)
      throw new UsageError(
        `--allow-ip must be addresses or networks such as 192.0.2.0/24; "${part}" is neither.`,
      );
    return network;
  });
  return [...new Set(networks)];
}
