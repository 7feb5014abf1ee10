import { type PointerEvent, useRef } from 'react';
import type { Point, Zoom } from './view.js';

export interface CompareDragOptions {
  readonly zoom: Zoom;
  /** Told the share of the frame's width, which may lie outside of 0–1. */
  readonly onDivide: (share: number) => void;
  readonly onPan: (by: Point) => void;
}

interface Drag {
  readonly isPan: boolean;
  last: Point;
}

/** Dragging moves the divider; pixel for pixel, it moves the picture unless it began on the divider. */
export function useCompareDrag({ zoom, onDivide, onPan }: CompareDragOptions) {
  const drag = useRef<Drag | null>(null);
  const divide = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onDivide((event.clientX - left) / width);
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const isHandle = (event.target as HTMLElement).closest('[role="slider"]') !== null;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = {
        isPan: zoom === 'actual' && !isHandle,
        last: { x: event.clientX, y: event.clientY },
      };
      if (!drag.current.isPan) divide(event);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag.current === null) return;
      const { isPan, last } = drag.current;
      if (isPan) onPan({ x: event.clientX - last.x, y: event.clientY - last.y });
      else divide(event);
      drag.current.last = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: () => (drag.current = null),
    onPointerCancel: () => (drag.current = null),
  };
}
