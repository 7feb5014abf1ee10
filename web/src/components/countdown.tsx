import { formatCountdown } from '../lib/format.js';
import { useNow } from '../lib/use-now.js';

const SECOND_MS = 1_000;

export interface CountdownProps {
  readonly untilIso: string;
}

/** The time that is left, second by second; not announced each time, since nobody could listen to anything else. */
export function Countdown({ untilIso }: CountdownProps) {
  const nowMs = useNow(SECOND_MS);
  return (
    <time dateTime={untilIso} role="timer" aria-live="off" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {formatCountdown(new Date(untilIso).getTime() - nowMs)}
    </time>
  );
}
