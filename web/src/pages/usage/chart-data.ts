import { t } from '@lingui/core/macro';
import type { UsageHistory } from '../../api/schema.js';
import { formatShortDay } from '../../lib/format.js';

export const CHART_HEIGHT = 280;
/** Space for half of the topmost number. */
export const CHART_MARGIN = { top: 8 } as const;

/** This many keys have their own color. All others share one. */
const SHOWN_KEYS = 4;
const COLORS = ['accent.6', 'accent.3', 'teal.6', 'yellow.6'] as const;
const REST_COLOR = 'gray.5';
/** No other series has this name, and neither has `day`. */
const REST = 'rest';

export interface DaySeries {
  /** Of its numbers in the data. Never a text that is shown: an API key can have any name, also `day`. */
  readonly name: string;
  readonly label: string;
  readonly color: string;
}

export interface DayData {
  readonly series: readonly DaySeries[];
  /** One entry for each day: `day`, and a number for each series. */
  readonly days: readonly Record<string, string | number>[];
}

/** Keys by their usage in the period, highest first, without unused ones. */
export function keysByUse(
  history: UsageHistory,
): readonly { readonly id: string; readonly name: string; readonly total: number }[] {
  return history.keys
    .map(({ id, name, enhancements }) => ({ id: id ?? 'dashboard', name, total: sum(enhancements) }))
    .filter(({ total }) => total > 0)
    .toSorted((a, b) => b.total - a.total);
}

/** Enhancements per day, stacked by key. */
export function dayData(history: UsageHistory): DayData {
  const sorted = history.keys
    .filter(({ enhancements }) => sum(enhancements) > 0)
    .toSorted((a, b) => sum(b.enhancements) - sum(a.enhancements));
  const shown = sorted.slice(0, SHOWN_KEYS).map(({ enhancements }, index) => ({
    enhancements,
    name: `key${index}`,
    label: labelOf(sorted, index),
    color: COLORS[index] ?? REST_COLOR,
  }));
  const rest = sorted.slice(SHOWN_KEYS);
  const series = shown.map(({ name, label, color }) => ({ name, label, color }));
  const days = history.days.map((day, at) => ({
    day: formatShortDay(day),
    ...Object.fromEntries(shown.map(({ name, enhancements }) => [name, enhancements[at] ?? 0])),
    ...(rest.length > 0 && { [REST]: sum(rest.map(({ enhancements }) => enhancements[at] ?? 0)) }),
  }));
  const others = { name: REST, label: t`Other keys`, color: REST_COLOR };
  return { series: rest.length > 0 ? [...series, others] : series, days };
}

/** Distinguishes keys with the same name by a number. */
function labelOf(keys: readonly { readonly name: string }[], index: number): string {
  const name = keys[index]?.name ?? '';
  const earlier = keys.slice(0, index).filter((key) => key.name === name).length;
  return earlier === 0 ? name : `${name} (${earlier + 1})`;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
