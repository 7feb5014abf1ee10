import { useEffect } from 'react';
import { formatCountdown } from '../../lib/format.js';
import { useNow } from '../../lib/use-now.js';

const SECOND_MS = 1_000;

export interface CountdownProps {
  readonly untilIso: string;
  /** Called once when nothing is left; the same function each time. */
  readonly onEnd?: () => unknown;
}

/** The time that is left, second by second; not announced each time, since nobody could listen to anything else. */
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
