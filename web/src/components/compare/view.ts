/** Width and height, in CSS pixels unless said otherwise. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How an image lies in its frame: its top left corner and its size in CSS pixels. */
export interface Placement extends Point, Size {}

/** "fit" shows the whole image; "actual" one image pixel as one screen pixel. */
export type Zoom = 'fit' | 'actual';

/**
 * @param image in image pixels
 * @param pan how far the image's centre is moved from the frame's, in CSS pixels; kept within the image
 * @param pixelRatio screen pixels per CSS pixel
 */
export function place(image: Size, frame: Size, zoom: Zoom, pan: Point, pixelRatio: number): Placement {
  const fitting = Math.min(frame.width / image.width, frame.height / image.height);
  const actual = 1 / pixelRatio;
  // A small image is not blown up to fit: it is shown as it is.
  const scale = zoom === 'fit' ? Math.min(fitting, actual) : actual;
  const width = image.width * scale;
  const height = image.height * scale;
  const room = { x: Math.max(0, (width - frame.width) / 2), y: Math.max(0, (height - frame.height) / 2) };
  const kept = { x: clamp(pan.x, -room.x, room.x), y: clamp(pan.y, -room.y, room.y) };
  return {
    x: (frame.width - width) / 2 + kept.x,
    y: (frame.height - height) / 2 + kept.y,
    width,
    height,
  };
}

/** The pan that keeps the centre within reach, so that a drag past the edge is not paid back later. */
export function keepPan(image: Size, frame: Size, pan: Point, pixelRatio: number): Point {
  const placed = place(image, frame, 'actual', pan, pixelRatio);
  return {
    x: placed.x - (frame.width - placed.width) / 2,
    y: placed.y - (frame.height - placed.height) / 2,
  };
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}
