/** A disk on gradients, with a fine pattern. */
export function drawnPicture(width, height) {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at += 1) {
    const [u, v] = [(at % width) / width, Math.floor(at / width) / height];
    const isDisc = Math.hypot(u - 0.5, v - 0.5) < 0.3;
    const pattern = ((at * 7) % 16) - 8;
    const color = isDisc ? [205, 150 + 40 * u, 125] : [40 + 90 * u, 60 + 60 * v, 130 - 40 * u];
    for (let channel = 0; channel < 3; channel += 1) data[at * 3 + channel] = color[channel] + pattern;
  }
  return { data, width, height, channels: 3 };
}
