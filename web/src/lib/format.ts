import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';

const LOCALE = i18n.locale;
const NUMBER = new Intl.NumberFormat(LOCALE);
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' });
const PRECISE_PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumSignificantDigits: 2 });
const MEASURE = new Intl.NumberFormat(LOCALE, { useGrouping: false });
const DATE_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const SHORT_DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const UTC_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const RELATIVE = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const UNITS = [t`bytes`, 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** `1,234` */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** `34.1` for 34.06 with one digit; in German `34,1` */
export function formatDecimal(value: number, digits: number): string {
  return value.toLocaleString(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** `35%` for 0.35; in German `35 %` */
export function formatPercent(share: number): string {
  return PERCENT.format(share);
}

/** `3.2%` for 0.0316, `0.049%` for 0.00049 */
export function formatPrecisePercent(share: number): string {
  return PRECISE_PERCENT.format(share);
}

const FORMAT_NAMES: Readonly<Record<string, string>> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  avif: 'AVIF',
};

/** `webp` → `WebP` */
export function formatName(format: string): string {
  return FORMAT_NAMES[format] ?? format.toUpperCase();
}

/** `8,000 × 5,360`, in pixels */
export function formatSize({ width, height }: { readonly width: number; readonly height: number }): string {
  return `${formatNumber(width)} × ${formatNumber(height)}`;
}

/** Units are binary, as in the plans: 1 GB is 2^30 bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const value = bytes / STEP ** power;
  const digits = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${MEASURE.format(Number(value.toFixed(digits)))} ${UNITS[power]}`;
}

/** `850 ms`, `3.2 s`, `2 min 5 s` */
export function formatDuration(ms: number): string {
  if (ms < 1) return '< 1 ms';
  // Rounds before dividing, so that 60 of a unit become 1 of the next.
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${MEASURE.format(Number((ms / 1_000).toFixed(1)))} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `about 4 seconds`, `about 2 minutes`: only as precise as an estimate. */
export function formatEstimate(seconds: number): string {
  if (seconds < 1.5) return t`about 1 second`;
  if (seconds < 90) return t`about ${Math.round(seconds)} seconds`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return plural(minutes, { one: 'about # minute', other: 'about # minutes' });
  return plural(Math.round(minutes / 60), { one: 'about # hour', other: 'about # hours' });
}

/** `Nov 21, 2026, 1:05:09 PM` in the reader's time zone */
export function formatDateTime(iso: string): string {
  return DATE_TIME.format(new Date(iso));
}

/** `Nov 21, 2026` */
export function formatDay(iso: string): string {
  return DAY.format(new Date(iso));
}

/** `Dec 1, 2026 (UTC)`: for ends of months and days in UTC, which may be another day in the reader's time zone */
export function formatUtcDay(iso: string): string {
  return `${UTC_DAY.format(new Date(iso))} (UTC)`;
}

/** `Nov 21` for `2026-11-21`, a day in UTC regardless of the reader's time zone */
export function formatShortDay(day: string): string {
  return SHORT_DAY.format(new Date(day));
}

/** `in 3 days`, `5 minutes ago`, `now`: for times in the past and the future. */
export function formatRelative(iso: string, nowMs = Date.now()): string {
  const seconds = Math.round((new Date(iso).getTime() - nowMs) / 1_000);
  const size = Math.abs(seconds);
  if (size < 45) return RELATIVE.format(0, 'second');
  if (size < 45 * 60) return RELATIVE.format(Math.round(seconds / 60), 'minute');
  if (size < 22 * 3_600) return RELATIVE.format(Math.round(seconds / 3_600), 'hour');
  if (size < 26 * 86_400) return RELATIVE.format(Math.round(seconds / 86_400), 'day');
  if (size < 320 * 86_400) return RELATIVE.format(Math.round(seconds / 2_629_800), 'month');
  return RELATIVE.format(Math.round(seconds / 31_557_600), 'year');
}

/** `1:23:45` or `23:45`, for countdowns; never negative. */
export function formatCountdown(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1_000));
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(total / 3_600);
  const rest = `${pad(Math.floor((total % 3_600) / 60))}:${pad(total % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

/** `personal` → `Personal plan` */
export function planLabel(plan: string): string {
  const name = plan.charAt(0).toUpperCase() + plan.slice(1);
  return t`${name} plan`;
}

const PRESETS: Readonly<Record<string, string>> = {
  portrait: t`Portrait`,
  'product-on-white': t`Product on white`,
  'old-scan': t`Old scan`,
};

/** `product-on-white` → `Product on white`, for built-in presets */
export function presetLabel(name: string): string {
  const words = name.replaceAll('-', ' ');
  return PRESETS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const OPERATIONS: Readonly<Record<string, string>> = {
  smooth_skin: t`Smooth skin`,
  upscale: t`Upscale`,
  auto_enhance: t`Auto enhance`,
  bg_remove: t`Remove background`,
};

/** `smooth_skin` → `Smooth skin`. Also works for custom operations. */
export function operationLabel(operation: string): string {
  const words = operation.replaceAll('_', ' ');
  return OPERATIONS[operation] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Replaces ISO 8601 times in the service's texts with readable times in the reader's time zone. */
export function withReadableTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, formatDateTime);
}
