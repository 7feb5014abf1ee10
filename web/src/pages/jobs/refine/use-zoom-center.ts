import { type RefObject, useLayoutEffect, useRef } from 'react';

interface Center {
  /** Relative to the size of the picture. */
  readonly x: number;
  readonly y: number;
}

/**
 * Keeps the center of a scrollable frame in place when the picture in it is zoomed.
 * @returns a function to call before each change of the zoom
 */
export function useZoomCenter(frame: RefObject<HTMLElement | null>): () => void {
  const center = useRef<Center | null>(null);
  useLayoutEffect(() => {
    const kept = center.current;
    center.current = null;
    if (kept === null || frame.current === null) return;
    const now = centerOf(frame.current);
    frame.current.scrollBy({ left: (kept.x - now.x) * now.width, top: (kept.y - now.y) * now.height });
  });
  return () => {
    if (frame.current !== null) center.current = centerOf(frame.current);
  };
}

function centerOf(frame: HTMLElement) {
  const { left, top } = frame.getBoundingClientRect();
  const picture = frame.firstElementChild!.getBoundingClientRect();
  return {
    x: (left + frame.clientLeft + frame.clientWidth / 2 - picture.left) / picture.width,
    y: (top + frame.clientTop + frame.clientHeight / 2 - picture.top) / picture.height,
    width: picture.width,
    height: picture.height,
  };
}
