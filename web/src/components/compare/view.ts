/** Width and height, in CSS pixels unless said otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The position of an image in its frame: its top left corner and its size in CSS pixels. */
export interface Placement extends Point, Size {}

/** "fit" shows the whole image as large as the frame allows. A number is screen pixels per image pixel. */
export type Zoom = 'fit' | number;

export const MAX_ZOOM = 8;
const STEPS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, MAX_ZOOM];
/** A zoom this close to a step counts as the step. The wheel and fingers rarely reach it exactly. */
const NEAR = 1.01;

export interface Scene {
  /** Size of the image, in image pixels. */
  readonly image: Size;
  readonly frame: Size;
  readonly zoom: Zoom;
  /** Offset of the image's center from the frame's center, in CSS pixels. */
  readonly pan: Point;
  /** Screen pixels per CSS pixel. */
  readonly pixelRatio: number;
}

/** Screen pixels per image pixel, 1 for 100%. */
export function scaleOf({ image, frame, zoom, pixelRatio }: Omit<Scene, 'pan'>): number {
  if (zoom !== 'fit') return zoom;
  const fitting = Math.min(frame.width / image.width, frame.height / image.height) * pixelRatio;
  return Math.min(MAX_ZOOM, fitting);
}

/** The position of the image. A pan beyond its edge is limited to the edge. */
export function place(scene: Scene): Placement {
  const { image, frame, pan, pixelRatio } = scene;
  const scale = scaleOf(scene) / pixelRatio;
  const width = image.width * scale;
  const height = image.height * scale;
  const room = { x: Math.max(0, (width - frame.width) / 2), y: Math.max(0, (height - frame.height) / 2) };
  return {
    x: (frame.width - width) / 2 + clamp(pan.x, -room.x, room.x),
    y: (frame.height - height) / 2 + clamp(pan.y, -room.y, room.y),
    width,
    height,
  };
}

/** Limits the pan, so that dragging back has an immediate effect after a drag beyond the edge. */
export function keepPan(scene: Scene): Point {
  const placed = place(scene);
  return {
    x: placed.x - (scene.frame.width - placed.width) / 2,
    y: placed.y - (scene.frame.height - placed.height) / 2,
  };
}

/** The scene at another zoom, with the same part of the image under `at`, a point in the frame. */
export function zoomTo(scene: Scene, zoom: Zoom, at: Point): Pick<Scene, 'zoom' | 'pan'> {
  if (zoom === 'fit') return { zoom, pan: { x: 0, y: 0 } };
  const { frame } = scene;
  const from = place(scene);
  const next = clamp(zoom, minZoom(scene), MAX_ZOOM);
  const growth = next / scaleOf(scene);
  const pan = {
    x: at.x - (at.x - from.x - from.width / 2) * growth - frame.width / 2,
    y: at.y - (at.y - from.y - from.height / 2) * growth - frame.height / 2,
  };
  return { zoom: next, pan: keepPan({ ...scene, zoom: next, pan }) };
}

/** The next zoom step up or down; "fit" below the lowest step. */
export function stepFrom(scene: Scene, direction: 'in' | 'out'): Zoom {
  const scale = scaleOf(scene);
  if (direction === 'in') return STEPS.find((step) => step > scale * NEAR) ?? MAX_ZOOM;
  const next = STEPS.findLast((step) => step * NEAR < scale);
  return next === undefined || next < minZoom(scene) ? 'fit' : next;
}

/** The smaller of the whole image and 100%. */
export function minZoom(scene: Omit<Scene, 'pan'>): number {
  return Math.min(1, scaleOf({ ...scene, zoom: 'fit' }));
}

/** The part of the frame that the image covers, from left to right, in CSS pixels. */
export function visible(
  { x, width }: Placement,
  frame: Size,
): { readonly left: number; readonly right: number } {
  return { left: clamp(x, 0, frame.width), right: clamp(x + width, 0, frame.width) };
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
