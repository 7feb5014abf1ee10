import type { RawImage } from '../../../kernel/pixels.js';
import { type Color, Drawing } from './drawing.js';

/**
 * Pale to deep in equal steps of melanin (1.2 to 32%), from the optical model in
 * scripts/training/drawing/skin_tones.py.
 */
export const OPTICAL_TONES: readonly Color[] = [
  [232, 179, 181],
  [228, 174, 173],
  [221, 167, 161],
  [213, 158, 146],
  [201, 146, 127],
  [185, 130, 104],
  [164, 110, 79],
  [138, 87, 55],
  [108, 64, 39],
  [77, 45, 34],
];

/** The swatches of the Monk Skin Tone scale (skintone.google), pale to deep: printed colors, without lighting. */
export const MONK_TONES: readonly Color[] = [
  [246, 237, 228],
  [243, 231, 219],
  [247, 234, 208],
  [234, 218, 186],
  [215, 189, 150],
  [160, 126, 86],
  [130, 92, 67],
  [96, 65, 52],
  [58, 49, 42],
  [41, 36, 32],
];

const SIZE = 384;
const NOISE = 2;

/** A portrait of the chart (head, neck, hair, and shirt in front of a wall), with its skin mask. */
export interface ChartPicture {
  readonly image: RawImage;
  /** 1 for skin: face and neck without eyes, brows, and lips. */
  readonly skin: Uint8Array;
}

/** Draws one tone of the chart, always with the same head. */
export function chartPicture(tone: Color): ChartPicture {
  const drawing = new Drawing(SIZE, [120, 132, 140], 1);
  const skin = new Uint8Array(SIZE * SIZE);
  const times = (color: Color, share: number): Color => [
    color[0] * share,
    color[1] * share,
    color[2] * share,
  ];
  const hair: Color = [tone[0] * 0.25 + 10, tone[1] * 0.25 + 10, tone[2] * 0.25 + 10];
  const part = (place: readonly [number, number, number, number], color: Color, isSkin: boolean): void =>
    drawing.ellipse(place, color, { shade: 0.7, covered: (at) => (skin[at] = isSkin ? 1 : 0) });
  part([0.5, 1.15, 0.42, 0.42], [70, 80, 120], false);
  part([0.5, 0.36, 0.2, 0.245], hair, false);
  part([0.5, 0.68, 0.085, 0.14], times(tone, 0.92), true);
  part([0.5, 0.42, 0.165, 0.215], tone, true);
  for (const side of [-1, 1]) {
    part([0.5 + side * 0.065, 0.385, 0.03, 0.013], [225, 225, 225], false);
    part([0.5 + side * 0.065, 0.385, 0.012, 0.013], [40, 30, 25], false);
    part([0.5 + side * 0.065, 0.35, 0.036, 0.008], hair, false);
  }
  part([0.5, 0.53, 0.055, 0.018], [tone[0] * 0.92, tone[1] * 0.6, tone[2] * 0.62], false);
  drawing.grain(NOISE);
  return { image: drawing.picture(), skin };
}
