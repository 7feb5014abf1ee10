import type { PixelShape, PixelSink, PixelSource, Region } from '../../../kernel/pixels.js';
import type { ShadowMap } from './shadow-map.js';
import { readPadded, stripsOf } from './strips.js';

/** The layers behind a subject. */
export interface Layers {
  readonly shadow: ShadowMap | null;
  /** A picture with the size of the frame. */
  readonly background: PixelSource | null;
}

/** The shape of a composition: transparent unless an opaque picture is behind it. */
export function composedShape(frame: Region, background: PixelShape | null): PixelShape {
  return { width: frame.width, height: frame.height, channels: background?.channels ?? 4 };
}

/**
 * Composites an RGBA subject over its shadow and a background picture, strip by strip.
 * @param frame the part of the subject's picture to show; it may extend beyond the picture
 * @param target has the shape that `composedShape` returns
 * @param signal stops the work between strips
 */
export async function compose(
  subject: PixelSource,
  frame: Region,
  { shadow, background }: Layers,
  target: PixelSink,
  signal?: AbortSignal,
): Promise<void> {
  const { width } = frame;
  const { channels } = target;
  const shade = new Float32Array(width);
  for (const strip of stripsOf(frame)) {
    signal?.throwIfAborted();
    const over = new Uint8Array(width * strip.height * 4);
    const region = { x: frame.x, y: frame.y + strip.y, width, height: strip.height };
    await readPadded(subject, region, over);
    const rows = { x: 0, y: strip.y, width, height: strip.height };
    // Without a background, this stays zero: transparent black.
    const under = new Uint8Array(width * strip.height * channels);
    if (background !== null) await background.read(rows, under);
    for (let row = 0; row < strip.height; row++) {
      shadow?.readRow(frame.x, frame.y + strip.y + row, shade);
      blendRow(
        over.subarray(row * width * 4, (row + 1) * width * 4),
        shadow === null ? null : shade,
        under.subarray(row * width * channels, (row + 1) * width * channels),
        channels,
      );
    }
    await target.write(rows, under);
  }
}

/**
 * Composites a row over a black shadow over the content of `under`, and writes the result to `under`.
 * @param over RGBA with straight alpha
 * @param shade opacity of the shadow, 0–1
 * @param under RGB, or RGBA with straight alpha
 */
export function blendRow(
  over: Uint8Array,
  shade: Float32Array | null,
  under: Uint8Array,
  channels: 3 | 4,
): void {
  for (let from = 0, to = 0, x = 0; from < over.length; from += 4, to += channels, x++) {
    const solid = over[from + 3]!;
    const shadow = shade === null ? 0 : shade[x]!;
    if (solid === 0 && shadow === 0) continue;
    if (solid === 255) {
      under[to] = over[from]!;
      under[to + 1] = over[from + 1]!;
      under[to + 2] = over[from + 2]!;
      if (channels === 4) under[to + 3] = 255;
      continue;
    }
    const alpha = solid / 255;
    const base = channels === 4 ? under[to + 3]! / 255 : 1;
    // Contributions of background and subject; the shadow is black and contributes only its opacity.
    const opacity = alpha + (shadow + base * (1 - shadow)) * (1 - alpha);
    const subject = alpha / opacity;
    const behind = (base * (1 - shadow) * (1 - alpha)) / opacity;
    // The sums are not negative, so truncation rounds correctly.
    under[to] = (over[from]! * subject + under[to]! * behind + 0.5) | 0;
    under[to + 1] = (over[from + 1]! * subject + under[to + 1]! * behind + 0.5) | 0;
    under[to + 2] = (over[from + 2]! * subject + under[to + 2]! * behind + 0.5) | 0;
    if (channels === 4) under[to + 3] = (opacity * 255 + 0.5) | 0;
  }
}
