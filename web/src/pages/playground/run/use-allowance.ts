import { plural, t } from '@lingui/core/macro';
import { useUsage } from '../../../api/usage.js';
import { formatBytes, formatNumber, formatUtcDay } from '../../../lib/format.js';

/** The remaining quota of the plan, as text. */
export interface Allowance {
  /** Why the run is not possible, or null. */
  readonly refusal: string | null;
  /** The cost; null until the usage is known. */
  readonly cost: string | null;
  /** Whether the remaining quota covers only a part. */
  readonly isPartial: boolean;
  /** How many of the photos the remaining quota covers, if not all of them. */
  readonly fit: number;
}

/**
 * Checks the quota before anything is sent, so that users do not upload photos in vain.
 * @param steps enhancements for each photo
 * @param photos number of photos
 */
export function useAllowance(steps: number, photos = 1): Allowance {
  const { data } = useUsage();
  if (data === undefined) return { refusal: null, cost: null, isPartial: false, fit: 0 };
  const { enhancements, storage } = data;
  const needed = steps * photos;
  if (enhancements.remaining < needed) {
    const refusal = refusalOf(enhancements, steps, photos);
    const fit = photos === 1 ? 0 : Math.floor(enhancements.remaining / steps);
    return { refusal, cost: null, isPartial: enhancements.remaining > 0, fit };
  }
  if (storage.remainingBytes <= 0) {
    const limit = formatBytes(storage.limitBytes);
    const refusal = t`Your ${limit} of storage is full. Delete photos or jobs to make room.`;
    return { refusal, cost: null, isPartial: false, fit: 0 };
  }
  const cost = t`Uses ${formatNumber(needed)} of ${plural(enhancements.remaining, { one: '# enhancement', other: '# enhancements' })} left this month`;
  return { refusal: null, cost, isPartial: false, fit: 0 };
}

interface Enhancements {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: string;
}

function refusalOf({ limit, remaining, resetsAt }: Enhancements, steps: number, photos: number): string {
  const resets = t`Your quota resets on ${formatUtcDay(resetsAt)}.`;
  if (remaining <= 0) return t`You've used all ${formatNumber(limit)} enhancements for this month. ${resets}`;
  const left = t`You have ${formatNumber(remaining)} left this month. ${resets}`;
  const needed = formatNumber(steps * photos);
  if (photos === 1) return t`These ${steps} steps take ${needed} enhancements. ${left}`;
  const count = formatNumber(photos);
  const takes =
    steps === 1
      ? t`${count} photos take ${needed} enhancements.`
      : t`${count} photos with ${steps} steps take ${needed} enhancements.`;
  const fit = Math.floor(remaining / steps);
  const enough = fit > 0 ? [t`That is enough for ${formatNumber(fit)} of the photos.`] : [];
  return [takes, left, ...enough].join(' ');
}
