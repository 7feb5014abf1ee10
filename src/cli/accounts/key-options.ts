import { normalizedNetwork } from '../../infra/net/ip-allow-list.js';
import { type ParsedArguments, UsageError } from '../arguments.js';

/** Options of `key create` beside name and scopes. `--expires` is the older name of `--expires-at`. */
export const KEY_OPTIONS = ['expires', 'expires-at', 'expires-in', 'allow-ip'] as const;

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;

/** When a new key ends; null for never. @throws UsageError */
export function expiryOf({ options }: ParsedArguments, nowMs: number): Date | null {
  const given = ['expires', 'expires-at', 'expires-in'].filter((name) => options[name] !== undefined);
  if (given.length > 1) throw new UsageError(`Give only one of --${given.join(' and --')}.`);
  const [name] = given;
  if (name === undefined) return null;
  const text = options[name]!;
  return name === 'expires-in' ? afterSpan(text, nowMs) : atInstant(name, text, nowMs);
}

function afterSpan(text: string, nowMs: number): Date {
  const [, count, unit] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (count === undefined || Number(count) === 0)
    throw new UsageError(`--expires-in must be a duration like 12h, 90d, or 52w, not "${text}".`);
  return new Date(nowMs + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}

function atInstant(name: string, text: string, nowMs: number): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`--${name} must be a date like 2030-01-31, not "${text}".`);
  if (date.getTime() <= nowMs)
    throw new UsageError(`--${name} must be in the future; "${text}" is in the past.`);
  return date;
}

/** Networks from which a new key may be used; null for any. @throws UsageError */
export function allowedIpsOf({ options }: ParsedArguments): readonly string[] | null {
  const text = options['allow-ip'];
  if (text === undefined) return null;
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
