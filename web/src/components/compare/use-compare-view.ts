import { useElementSize, useMergedRef } from '@mantine/hooks';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useCompareDrag } from './use-compare-drag.js';
import { useWheelZoom } from './use-wheel-zoom.js';
import {
  clamp,
  keepPan,
  place,
  type Point,
  scaleOf,
  type Scene,
  type Size,
  stepFrom,
  visible,
  type Zoom,
  zoomTo,
} from './view.js';

const PAN_STEP = 40;
const PAN_KEYS: Readonly<Record<string, Point | undefined>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

/**
 * The view of a comparison: zoom, pan, and divider, controlled by the wheel, fingers, mouse, and keyboard.
 * @param image the size of the result in pixels
 */
export function useCompareView(image: Size) {
  const { ref: sizeRef, width, height } = useElementSize();
  const element = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(sizeRef, element);
  const [position, setPosition] = useState(0.5);
  const [view, setView] = useState<Pick<Scene, 'zoom' | 'pan'>>({ zoom: 'fit', pan: { x: 0, y: 0 } });
  const frame = { width, height };
  const scene: Scene = { image, frame, pixelRatio: window.devicePixelRatio, ...view };
  const placed = place(scene);
  const shown = visible(placed, frame);
  const canPan = placed.width > width + 1 || placed.height > height + 1;

  const zoom = (next: Zoom, at: Point = { x: width / 2, y: height / 2 }) => setView(zoomTo(scene, next, at));
  const grow = (growth: number, at: Point): boolean => {
    const next = zoomTo(scene, scaleOf(scene) * growth, at);
    // Zooms out to the whole picture and no further. From there on, the wheel scrolls the page.
    if (next.zoom === scaleOf(scene)) return false;
    setView(next);
    return true;
  };
  const panBy = ({ x, y }: Point) =>
    setView(({ pan, ...rest }) => ({
      ...rest,
      pan: keepPan({ ...scene, pan: { x: pan.x + x, y: pan.y + y } }),
    }));
  const step = (direction: 'in' | 'out') => zoom(stepFrom(scene, direction));

  useWheelZoom(element, grow);
  const drag = useCompareDrag({
    canPan,
    onDivide: (x) => setPosition(clamp((x - shown.left) / Math.max(1, shown.right - shown.left), 0, 1)),
    onPan: panBy,
    onPinch: grow,
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.target === event.currentTarget && canPan ? PAN_KEYS[event.key] : undefined;
    if (event.key === '+' || event.key === '=') step('in');
    else if (event.key === '-') step('out');
    else if (event.key === '0') zoom('fit');
    else if (by !== undefined) panBy({ x: by.x * PAN_STEP, y: by.y * PAN_STEP });
    else return;
    event.preventDefault();
  };
  return {
    ref,
    frame,
    placed,
    shown,
    canPan,
    position,
    setPosition,
    zoom: view.zoom,
    scale: scaleOf(scene),
    onZoom: zoom,
    onStep: step,
    handlers: { onKeyDown, ...drag },
  };
}
