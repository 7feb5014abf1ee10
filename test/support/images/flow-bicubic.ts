import type { Picture } from './flow-picture.js';

/** Enlarges with centers of pixels aligned and the edge repeated, by Keys' cubic convolution (a = −0.5): what MATLAB and Pillow call bicubic, the baseline of super-resolution. */
export function enlargedBicubic(picture: Picture, scale: number): Picture {
  const wide = enlargedRows(picture, scale);
  return transposed(enlargedRows(transposed(wide), scale));
}

/** Channels stay within the 8-bit range; rounding once per direction is what others do, too. */
function enlargedRows({ width, height, data }: Picture, scale: number): Picture {
  const out = new Uint8Array(width * scale * height * 4);
  for (let x = 0; x < width * scale; x += 1) {
    const center = (x + 0.5) / scale - 0.5;
    const first = Math.floor(center) - 1;
    const weights = [0, 1, 2, 3].map((tap) => keys(center - (first + tap)));
    for (let y = 0; y < height; y += 1) {
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (let tap = 0; tap < 4; tap += 1) {
          const from = Math.min(width - 1, Math.max(0, first + tap));
          sum += weights[tap]! * data[(y * width + from) * 4 + channel]!;
        }
        out[(y * width * scale + x) * 4 + channel] = Math.min(255, Math.max(0, Math.round(sum)));
      }
    }
  }
  return { width: width * scale, height, data: out };
}

function keys(distance: number): number {
  const d = Math.abs(distance);
  if (d <= 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
  return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
}

function transposed({ width, height, data }: Picture): Picture {
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      out.set(data.subarray(from, from + 4), (x * height + y) * 4);
    }
  }
  return { width: height, height: width, data: out };
}
