import { type PointerEvent, useRef } from 'react';
import type { Point } from './view.js';

export interface CompareDragOptions {
  /** Whether the picture is larger than the frame. */
  readonly canPan: boolean;
  /** Called with the horizontal position in the frame, in CSS pixels. */
  readonly onDivide: (x: number) => void;
  readonly onPan: (by: Point) => void;
  /** Called with the factor by which the distance of two fingers has grown, and a point in the frame as the center. */
  readonly onPinch: (growth: number, at: Point) => void;
}

/** Dragging moves the divider. In an enlarged picture it moves the picture, unless the drag began on the divider. */
export function useCompareDrag({ canPan, onDivide, onPan, onPinch }: CompareDragOptions) {
  const pointers = useRef(new Map<number, Point>());
  const isPan = useRef(false);
  const at = (event: PointerEvent<HTMLElement>): Point => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const release = (event: PointerEvent<HTMLElement>) => void pointers.current.delete(event.pointerId);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const isHandle = (event.target as HTMLElement).closest('[role="slider"]') !== null;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, at(event));
      isPan.current = canPan && !isHandle;
      if (!isPan.current && pointers.current.size === 1) onDivide(at(event).x);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const last = pointers.current.get(event.pointerId);
      if (last === undefined) return;
      const now = at(event);
      pointers.current.set(event.pointerId, now);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) onPinch(distance(now, other) / distance(last, other), middle(now, other));
      else if (isPan.current) onPan({ x: now.x - last.x, y: now.y - last.y });
      else onDivide(now.x);
    },
    onPointerUp: release,
    onPointerCancel: release,
  };
}

/** Never zero, because it is used as a divisor. */
function distance(one: Point, other: Point): number {
  return Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
