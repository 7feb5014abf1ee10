import { type RefObject, useEffect, useRef } from 'react';
import type { Point } from './view.js';

/** Speed of the wheel zoom: a typical notch of 100 pixels changes the zoom by a fifth. */
const PER_PIXEL = 0.0018;
/** A trackpad pinch is reported as a wheel event with the Control key, in smaller steps. */
const PER_PIXEL_OF_PINCH = 0.01;
const PIXELS_PER_LINE = 16;

/**
 * Calls `onZoom` for wheel events over an element.
 * @param onZoom called with the zoom factor and a point of the element as the center; returns false if nothing
 *   changed, so that the page scrolls
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
    // React's own listener is passive and could not prevent the page from scrolling.
    target.addEventListener('wheel', onWheel, { passive: false });
    return () => target.removeEventListener('wheel', onWheel);
  }, [element]);
}
