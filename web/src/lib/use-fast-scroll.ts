import { useEffect, useState } from 'react';

/** Three screens per second: too fast to recognize anything. */
const FAST_PIXELS_A_SECOND = 2_700;
const MEASURE_MS = 100;
const CALM_MS = 140;

/** Whether the window scrolls too fast for pictures to be seen, so that loading and drawing them would be wasted. */
export function useFastScroll(): boolean {
  const [isFast, setIsFast] = useState(false);
  useEffect(() => {
    let from = { at: performance.now(), top: window.scrollY };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setIsFast(false), CALM_MS);
      const now = performance.now();
      const passedMs = now - from.at;
      if (passedMs < MEASURE_MS) return;
      const speed = (Math.abs(window.scrollY - from.top) / passedMs) * 1_000;
      // After a pause, the first distance is not a reliable measure of the speed.
      if (passedMs < 5 * MEASURE_MS) setIsFast(speed > FAST_PIXELS_A_SECOND);
      from = { at: now, top: window.scrollY };
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(timer);
      window.removeEventListener('scroll', onScroll);
    };
  }, []);
  return isFast;
}
