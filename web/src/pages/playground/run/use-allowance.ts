import { useUsage } from '../../../api/usage.js';
import { formatBytes, formatDay, formatNumber } from '../../../lib/format.js';

/** What the plan has room for, in words. */
export interface Allowance {
  /** Why nothing can be enhanced, or null. */
  readonly refusal: string | null;
  /** What the next enhancement costs; null until the usage is known. */
  readonly cost: string | null;
}

/** Known before anything is sent, so that nobody uploads a photo to be refused. */
export function useAllowance(): Allowance {
  const { data } = useUsage();
  if (data === undefined) return { refusal: null, cost: null };
  const { enhancements, storage } = data;
  if (enhancements.remaining <= 0) {
    const limit = formatNumber(enhancements.limit);
    return {
      refusal: `You've used all ${limit} enhancements of this month. The count resets on ${formatDay(enhancements.resetsAt)}.`,
      cost: null,
    };
  }
  if (storage.remainingBytes <= 0) {
    const limit = formatBytes(storage.limitBytes);
    return { refusal: `Your ${limit} of storage are full. Delete photos or jobs to make room.`, cost: null };
  }
  const left = formatNumber(enhancements.remaining);
  return {
    refusal: null,
    cost: `Uses 1 of ${left} ${enhancements.remaining === 1 ? 'enhancement' : 'enhancements'} left this month`,
  };
}
