import { useEffect } from 'react';
import { formatCountdown } from '../../lib/format.js';
import { useNow } from '../../lib/use-now.js';

const SECOND_MS = 1_000;

export interface CountdownProps {
  readonly untilIso: string;
  /** Called once at the end. Must be the same function on every render. */
  readonly onEnd?: () => unknown;
}

/**
 * The remaining time, updated every second. Not announced, because constant announcements would drown out everything
 * else.
 */
export function Countdown({ untilIso, onEnd }: CountdownProps) {
  const leftMs = new Date(untilIso).getTime() - useNow(SECOND_MS);
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) onEnd?.();
  }, [isOver, onEnd]);
  return (
    <time dateTime={untilIso} role="timer" aria-live="off" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {formatCountdown(leftMs)}
    </time>
  );
}
