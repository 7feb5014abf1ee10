import { t } from '@lingui/core/macro';
const DAY_MS = 86_400_000;

/** Selects a custom date. */
export const CUSTOM = 'date';

/** Lifetimes of a key; `days` null means unlimited. */
export const EXPIRIES = [
  { value: 'never', label: t`Never`, days: null },
  { value: '7', label: t`In 7 days`, days: 7 },
  { value: '30', label: t`In 30 days`, days: 30 },
  { value: '90', label: t`In 90 days`, days: 90 },
  { value: '365', label: t`In a year`, days: 365 },
] as const;

/** The selected expiry in the service's format. @param day `2026-12-31`, for `CUSTOM` */
export function expiresAt(value: string, day: string, nowMs: number): string | null {
  if (value === CUSTOM) return new Date(endOfDay(day)).toISOString();
  const days = EXPIRIES.find((expiry) => expiry.value === value)?.days ?? null;
  return days === null ? null : new Date(nowMs + days * DAY_MS).toISOString();
}

/** Why a custom date is invalid; undefined when it is valid. */
export function dayFault(day: string, nowMs: number): string | undefined {
  const endMs = endOfDay(day);
  if (Number.isNaN(endMs)) return t`Choose a date.`;
  return endMs <= nowMs ? t`Choose today or a later date.` : undefined;
}

/** Unix milliseconds of the last second of a day in the reader's time zone; NaN for an invalid day. */
function endOfDay(day: string): number {
  return new Date(`${day}T23:59:59`).getTime();
}
