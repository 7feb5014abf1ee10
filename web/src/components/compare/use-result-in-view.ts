import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls to a new result that is out of view, as on phones, where it is above the controls. */
export function useResultInView(stage: RefObject<HTMLElement | null>, resultId: string | undefined): void {
  const last = useRef(resultId);
  useEffect(() => {
    const isNew = resultId !== undefined && resultId !== last.current;
    last.current = resultId;
    if (!isNew || stage.current === null) return;
    const { top } = stage.current.getBoundingClientRect();
    if (top >= 0 && top < window.innerHeight / 2) return;
    const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    stage.current.scrollIntoView({ behavior: isCalm ? 'auto' : 'smooth', block: 'start' });
  }, [stage, resultId]);
}
