import { t } from '@lingui/core/macro';
const DAY_MS = 86_400_000;

/** The choice of a day of one's own. */
export const CUSTOM = 'date';

/** How long a key can live; `days` null: for ever. */
export const EXPIRIES = [
  { value: 'never', label: t`Never`, days: null },
  { value: '7', label: t`In 7 days`, days: 7 },
  { value: '30', label: t`In 30 days`, days: 30 },
  { value: '90', label: t`In 90 days`, days: 90 },
  { value: '365', label: t`In a year`, days: 365 },
] as const;

/** The chosen end as the service takes it. @param day `2026-12-31`, for `CUSTOM` */
export function expiresAt(value: string, day: string, nowMs: number): string | null {
  if (value === CUSTOM) return new Date(endOfDay(day)).toISOString();
  const days = EXPIRIES.find((expiry) => expiry.value === value)?.days ?? null;
  return days === null ? null : new Date(nowMs + days * DAY_MS).toISOString();
}

/** Why a day of one's own cannot be taken; undefined when it can. */
export function dayFault(day: string, nowMs: number): string | undefined {
  const endMs = endOfDay(day);
  if (Number.isNaN(endMs)) return t`Choose a date.`;
  return endMs <= nowMs ? t`Choose today or a later date.` : undefined;
}

/** Unix milliseconds of its last second where the reader is; NaN for no day. */
function endOfDay(day: string): number {
  return new Date(`${day}T23:59:59`).getTime();
}
