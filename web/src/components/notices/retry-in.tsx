import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { useNow } from '../../lib/use-now.js';

export interface RetryInProps {
  /** Unix milliseconds. */
  readonly atMs: number;
}

/**
 * Counts down to the time when the service accepts a retry. Not announced, because screen readers have read the notice
 * once.
 */
export function RetryIn({ atMs }: RetryInProps) {
  const nowMs = useNow(1_000);
  const left = Math.max(0, Math.ceil((atMs - nowMs) / 1_000));
  return (
    <Text size="sm" aria-live="off" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {left === 0
        ? t`You can try again now.`
        : plural(left, { one: 'Try again in # second.', other: 'Try again in # seconds.' })}
    </Text>
  );
}
