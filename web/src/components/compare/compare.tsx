import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import classes from './compare.module.css';
import { CompareHandle } from './compare-handle.js';
import { CompareToolbar } from './compare-toolbar.js';
import { useCompareDrag } from './use-compare-drag.js';
import { clamp, keepPan, place, type Point, type Size, type Zoom } from './view.js';

const PAN_STEP = 40;
const CENTRE: Point = { x: 0, y: 0 };

export interface CompareProps {
  readonly beforeUrl: string;
  readonly afterUrl: string;
  /** Size of the result in pixels; the source is shown at the same size. */
  readonly size: Size;
  /** What the picture is, for people who cannot see it. */
  readonly alt: string;
  /** What opens beside the zoom, for instance a download. */
  readonly actions?: ReactNode;
  /** Lower, for a drawer. */
  readonly isSmall?: boolean;
}

/** Before and after of one photo under a divider that moves by hand or by key; whole or pixel for pixel. */
export function Compare({ beforeUrl, afterUrl, size, alt, actions, isSmall = false }: CompareProps) {
  const { ref, width, height } = useElementSize();
  const [position, setPosition] = useState(0.5);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [pan, setPan] = useState(CENTRE);
  const frame = { width, height };
  const ratio = window.devicePixelRatio;
  const panBy = (by: Point) =>
    setPan((from) => keepPan(size, frame, { x: from.x + by.x, y: from.y + by.y }, ratio));
  const drag = useCompareDrag({
    zoom,
    onDivide: (share) => setPosition(clamp(share, 0, 1)),
    onPan: panBy,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = PAN_KEYS[event.key];
    if (zoom !== 'actual' || by === undefined || event.target !== event.currentTarget) return;
    event.preventDefault();
    panBy({ x: by.x * PAN_STEP, y: by.y * PAN_STEP });
  };
  const placed = place(size, frame, zoom, pan, ratio);
  const style = { left: placed.x, top: placed.y, width: placed.width, height: placed.height };
  return (
    <section className={classes['root']} aria-label="Before and after">
      <CompareToolbar zoom={zoom} onZoom={setZoom} size={size}>
        {actions}
      </CompareToolbar>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dragging; the slider in it serves keys */}
      <div
        ref={ref}
        className={classes['frame']}
        data-zoom={zoom}
        data-small={isSmall}
        role="group"
        aria-label={zoom === 'actual' ? 'Picture, use the arrow keys to pan' : 'Picture'}
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys pan it
        tabIndex={zoom === 'actual' ? 0 : undefined}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <div className={classes['layer']} style={{ clipPath: `inset(0 ${(1 - position) * 100}% 0 0)` }}>
          <img src={beforeUrl} alt={`Before: ${alt}`} style={style} draggable={false} />
        </div>
        <div className={classes['layer']} style={{ clipPath: `inset(0 0 0 ${position * 100}%)` }}>
          <div className={classes['checks']} style={style} />
          <img src={afterUrl} alt={`After: ${alt}`} style={style} draggable={false} />
        </div>
        <span className={classes['tag']} data-side="before" aria-hidden>
          Before
        </span>
        <span className={classes['tag']} data-side="after" aria-hidden>
          After
        </span>
        <CompareHandle position={position} onMove={setPosition} />
      </div>
    </section>
  );
}

const PAN_KEYS: Readonly<Record<string, Point | undefined>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};
