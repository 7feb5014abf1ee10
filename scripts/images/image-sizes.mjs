import { buildah } from './buildah.mjs';

/**
 * The sizes of images, as `docker images` counts them: all layers, unpacked.
 * @param {readonly { target: string, name: string }[]} images
 */
export function imageSizes(images) {
  return images.map(({ target, name }) => ({ target, name, bytes: sizeOf(name) }));
}

function sizeOf(name) {
  const listed = JSON.parse(buildah('images', '--json', name));
  return bytesOf(listed[0].size);
}

const UNITS = { B: 1, KB: 1e3, MB: 1e6, GB: 1e9 };

/** Parses a size such as `248 MB`. */
function bytesOf(text) {
  const [, number, unit] = /^([\d.]+)\s*(\w+)$/.exec(text);
  return Number(number) * UNITS[unit.toUpperCase()];
}
