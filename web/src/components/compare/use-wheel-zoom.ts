import { type RefObject, useEffect, useRef } from 'react';
import type { Point } from './view.js';

/** How fast the wheel zooms: a usual notch of 100 pixels changes the zoom by a fifth. */
const PER_PIXEL = 0.0018;
/** A trackpad's pinch comes as a wheel with the Control key, in smaller portions. */
const PER_PIXEL_OF_PINCH = 0.01;
const PIXELS_PER_LINE = 16;

/**
 * Calls `onZoom` for the wheel over an element.
 * @param onZoom told how many times larger, around a point of the element; false: nothing changed, and the page scrolls
 */
export function useWheelZoom(
  element: RefObject<HTMLElement | null>,
  onZoom: (growth: number, at: Point) => boolean,
): void {
  const told = useRef(onZoom);
  useEffect(() => {
    told.current = onZoom;
  }, [onZoom]);
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const onWheel = (event: WheelEvent) => {
      const { left, top } = target.getBoundingClientRect();
      const pixels =
        event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * PIXELS_PER_LINE : event.deltaY;
      const growth = Math.exp(-pixels * (event.ctrlKey ? PER_PIXEL_OF_PINCH : PER_PIXEL));
      const isChanged = told.current(growth, { x: event.clientX - left, y: event.clientY - top });
      if (isChanged || event.ctrlKey) event.preventDefault();
    };
    // React's own listener is passive: it could not keep the page from scrolling.
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
}
