import { t } from '@lingui/core/macro';
import type { Brush, Stroke } from './strokes.js';

/** Colors of the marks over the picture. They are drawn half-transparent. */
const SHOWN: Readonly<Record<Exclude<Brush, 'auto'>, string>> = { keep: '#12b76a', erase: '#f04438' };
/** Colors in the mask that is sent. */
const SENT: Readonly<Record<Brush, string>> = { keep: '#ffffff', erase: '#000000', auto: '#808080' };
const [KEPT_RGB, ERASED_RGB] = [
  [0x12, 0xb7, 0x6a],
  [0xf0, 0x44, 0x38],
] as const;
const GRAY = 128;

/** Draws the marks as an overlay for the picture. @param base marks of an earlier mask */
export function drawShown(
  context: CanvasRenderingContext2D,
  strokes: readonly Stroke[],
  base: CanvasImageSource | null,
): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  if (base !== null) context.drawImage(base, 0, 0, width, height);
  for (const stroke of strokes) drawShownStroke(context, stroke);
}

export function drawShownStroke(context: CanvasRenderingContext2D, stroke: Stroke): void {
  context.globalCompositeOperation = stroke.brush === 'auto' ? 'destination-out' : 'source-over';
  drawStroke(context, stroke, stroke.brush === 'auto' ? '#000' : SHOWN[stroke.brush]);
  context.globalCompositeOperation = 'source-over';
}

function drawStroke(context: CanvasRenderingContext2D, { radius, points }: Stroke, color: string): void {
  const [first] = points;
  if (first === undefined) return;
  context.fillStyle = color;
  context.beginPath();
  context.arc(first.x, first.y, radius, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = color;
  context.lineWidth = 2 * radius;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  context.moveTo(first.x, first.y);
  for (const { x, y } of points) context.lineTo(x, y);
  context.stroke();
}

export interface MaskContent {
  readonly width: number;
  readonly height: number;
  readonly strokes: readonly Stroke[];
  /** The earlier mask of the job. */
  readonly base: CanvasImageSource | null;
}

/** The mask in the service's format: white keeps, black erases, and gray leaves the decision to the model. */
export async function maskFile({ width, height, strokes, base }: MaskContent): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d')!;
  context.fillStyle = SENT.auto;
  context.fillRect(0, 0, width, height);
  if (base !== null) context.drawImage(base, 0, 0, width, height);
  for (const stroke of strokes) drawStroke(context, stroke, SENT[stroke.brush]);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error(t`Your browser couldn't save the marks as an image. Try again.`);
  return new File([blob], 'mask.png', { type: 'image/png' });
}

/** Converts an earlier mask to marks over the picture. */
export function marksOf(mask: CanvasImageSource, width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(mask, 0, 0, width, height);
  const pixels = context.getImageData(0, 0, width, height);
  for (let at = 0; at < pixels.data.length; at += 4) {
    const value = pixels.data[at]!;
    const [red, green, blue] = value > GRAY ? KEPT_RGB : ERASED_RGB;
    pixels.data.set([red, green, blue, Math.min(255, Math.abs(value - GRAY) * 2)], at);
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}
