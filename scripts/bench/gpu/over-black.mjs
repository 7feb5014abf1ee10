/**
 * The value of a pixel composited over black: a transparent pixel has no color.
 * @param {Uint8Array} data pixels, `channels` bytes each
 * @param {3 | 4} channels
 * @param {number} at index of the value
 */
export function overBlack(data, channels, at) {
  const channel = at % channels;
  if (channels === 3 || channel === 3) return data[at];
  return Math.round((data[at] * data[at - channel + 3]) / 255);
}
