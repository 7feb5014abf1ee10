const DAY_MS = 86_400_000;

/** How long a new key can live; `days` null: for ever. */
export const EXPIRIES = [
  { value: 'never', label: 'Never', days: null },
  { value: '30', label: 'In 30 days', days: 30 },
  { value: '90', label: 'In 90 days', days: 90 },
  { value: '365', label: 'In a year', days: 365 },
] as const;

/** The chosen end as the service takes it. */
export function expiresAt(value: string, nowMs: number): string | null {
  const days = EXPIRIES.find((expiry) => expiry.value === value)?.days ?? null;
  return days === null ? null : new Date(nowMs + days * DAY_MS).toISOString();
}
