import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Point } from './strokes.js';

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export interface BrushArea {
  readonly width: number;
  readonly height: number;
  readonly radius: number;
  readonly isActive: boolean;
  readonly showRing: (at: Point) => void;
  /** Scrolls to the ring. A zoomed picture is larger than its frame. */
  readonly scrollToRing: () => void;
}

/** Moves a brush with the arrow keys. The space bar paints a dot, and Shift with an arrow key paints a line. */
export function useBrushKeys(area: BrushArea, onPaint: (points: readonly Point[]) => void) {
  const { width, height, radius, isActive, showRing, scrollToRing } = area;
  const at = useRef<Point>({ x: width / 2, y: height / 2 });
  const [hasFocus, setHasFocus] = useState(false);
  useEffect(() => {
    at.current = { x: width / 2, y: height / 2 };
  }, [width, height]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isActive || event.ctrlKey || event.metaKey || event.altKey) return;
    const from = at.current;
    const direction = DIRECTIONS[event.key];
    if (event.key === ' ' || event.key === 'Enter') onPaint([from]);
    else if (direction === undefined) return;
    else {
      const step = Math.max(1, radius / 2);
      const clamp = (value: number, most: number) => Math.min(most, Math.max(0, value));
      at.current = {
        x: clamp(from.x + direction[0] * step, width),
        y: clamp(from.y + direction[1] * step, height),
      };
      if (event.shiftKey) onPaint([from, at.current]);
    }
    event.preventDefault();
    showRing(at.current);
    scrollToRing();
  };
  const onFocus = () => {
    setHasFocus(true);
    showRing(at.current);
  };
  return {
    hasFocus,
    moveTo: (point: Point) => {
      at.current = point;
    },
    handlers: { onKeyDown, onFocus, onBlur: () => setHasFocus(false) },
  };
}
