import { type PointerEvent, useRef } from 'react';

/** Scrolls the frame of a zoomed picture by the distance that a mouse or pen drags the picture. */
export function useFrameScroll() {
  const last = useRef<{ readonly x: number; readonly y: number } | null>(null);
  return {
    begin: (event: PointerEvent<HTMLElement>) => {
      // The browser scrolls for fingers itself.
      if (event.pointerType === 'touch') return;
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY };
    },
    move: ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
      if (last.current === null) return;
      const { x, y } = last.current;
      currentTarget.closest('[data-frame]')?.scrollBy({ left: x - clientX, top: y - clientY });
      last.current = { x: clientX, y: clientY };
    },
    end: () => {
      last.current = null;
    },
  };
}
