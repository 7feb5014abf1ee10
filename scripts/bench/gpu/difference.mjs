/**
 * Compares every pixel of two images, composited over black: a transparent pixel has no color.
 * @param {Uint8Array} pixels `channels` bytes each
 * @param {Uint8Array} expected
 * @param {3 | 4} channels
 * @returns {{ largest: number, mean: number } | { fault: string }} 0–255
 */
export function difference(pixels, expected, channels) {
  if (pixels.length !== expected.length) return { fault: 'the results have different sizes' };
  let [sum, largest] = [0, 0];
  for (let at = 0; at < pixels.length; at += 1) {
    const distance = Math.abs(overBlack(pixels, channels, at) - overBlack(expected, channels, at));
    sum += distance;
    if (distance > largest) largest = distance;
  }
  return { largest, mean: Number((sum / pixels.length).toFixed(4)) };
}

function overBlack(data, channels, at) {
  if (channels === 3) return data[at];
  const channel = at % 4;
  return channel === 3 ? data[at] : Math.round((data[at] * data[at - channel + 3]) / 255);
}
