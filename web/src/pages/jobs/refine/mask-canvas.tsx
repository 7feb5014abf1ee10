import { t } from '@lingui/core/macro';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { drawShown, drawShownStroke } from './mask-drawing.js';
import classes from './refine.module.css';
import type { Brush, Point, Stroke } from './strokes.js';
import { useFrameScroll } from './use-frame-scroll.js';
import { useBrushKeys } from './use-brush-keys.js';

export interface MaskCanvasProps {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly Stroke[];
  /** The marks of an earlier mask. */
  readonly base: CanvasImageSource | null;
  /** Null if pointers move the picture instead. */
  readonly brush: Brush | null;
  /** Radius in pixels of the mask. */
  readonly radius: number;
  readonly onStroke: (stroke: Stroke) => void;
}

/** The canvas for painting keep and erase marks, with a pointer or the keyboard. */
export function MaskCanvas({ width, height, strokes, base, brush, radius, onStroke }: MaskCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const ring = useRef<HTMLSpanElement>(null);
  const painted = useRef<Point[] | null>(null);
  const [hasPointer, setHasPointer] = useState(false);
  const contextOf = () => canvas.current?.getContext('2d') ?? null;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context != null) drawShown(context, strokes, base);
  }, [strokes, base]);
  const paint = (points: readonly Point[]) => {
    const context = contextOf();
    if (context !== null && brush !== null) drawShownStroke(context, { brush, radius, points });
  };
  const showRing = ({ x, y }: Point) => {
    const { style } = ring.current!;
    style.left = `${(x / width) * 100}%`;
    style.top = `${(y / height) * 100}%`;
  };
  const scrollToRing = () => ring.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const isActive = brush !== null;
  const keys = useBrushKeys({ width, height, radius, showRing, scrollToRing, isActive }, (points) => {
    if (brush !== null) onStroke({ brush, radius, points });
  });
  const pointOf = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point => {
    const box = canvas.current!.getBoundingClientRect();
    return {
      x: ((clientX - box.left) / box.width) * width,
      y: ((clientY - box.top) / box.height) * height,
    };
  };
  const scroll = useFrameScroll();
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.button !== 0) return;
    if (brush === null) {
      scroll.begin(event);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    painted.current = [pointOf(event)];
    paint(painted.current);
  };
  const go = (event: PointerEvent<HTMLCanvasElement>) => {
    scroll.move(event);
    const points = painted.current;
    const all = event.nativeEvent.getCoalescedEvents?.() ?? [];
    const passed = (all.length === 0 ? [event] : all).map(pointOf);
    showRing(passed.at(-1)!);
    keys.moveTo(passed.at(-1)!);
    if (points === null) return;
    const last = points.at(-1)!;
    points.push(...passed);
    paint([last, ...passed]);
  };
  const end = () => {
    scroll.end();
    const points = painted.current;
    painted.current = null;
    if (points !== null && brush !== null) onStroke({ brush, radius, points });
  };
  return (
    <>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a drawing area; keys paint, too */}
      <canvas
        ref={canvas}
        width={width}
        height={height}
        className={classes['marks']}
        data-move={brush === null}
        // eslint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- it handles keys itself
        role="application"
        aria-label={t`Image. The arrow keys move the brush, the space bar paints, and Shift with an arrow key paints a line.`}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys paint
        tabIndex={0}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
        onPointerEnter={() => setHasPointer(true)}
        onPointerLeave={() => setHasPointer(false)}
        {...keys.handlers}
      />
      <span
        ref={ring}
        className={classes['ring']}
        data-brush={brush}
        hidden={brush === null || !(hasPointer || keys.hasFocus)}
        style={{ width: `${((2 * radius) / width) * 100}%` }}
        aria-hidden
      />
    </>
  );
}
