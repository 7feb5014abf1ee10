import sharp from 'sharp';
import { seededRandom } from '../chaos/random.mjs';

/** Scenes are drawn large and downscaled, so that edges are as smooth as those of a lens. */
const SUPERSAMPLING = 3;

/**
 * A drawn scene, always the same for the same seed: a sky, hills, disks, and posts, with the bust of a person in front.
 * @param {number} seed
 * @param {'picture' | 'subject' | 'skin'} layer everything, or a mask of the person or the skin, white on black
 */
export function scene(seed, width, height, layer = 'picture') {
  const random = seededRandom(seed, 'scene');
  const parts = layer === 'picture' ? [sky(random), ...background(random)] : [black()];
  const person = bust(seededRandom(seed, 'person'), layer);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width * SUPERSAMPLING}" height="${height * SUPERSAMPLING}" viewBox="0 0 100 100" preserveAspectRatio="none">${[...parts, ...person].join('')}</svg>`;
  return sharp(Buffer.from(svg)).resize(width, height, { kernel: 'cubic' }).removeAlpha().png().toBuffer();
}

function black() {
  return '<rect width="100" height="100" fill="#000"/>';
}

function color(random, [low, high] = [40, 230]) {
  return `rgb(${[0, 1, 2].map(() => random.integer(low, high)).join(',')})`;
}

function sky(random) {
  return `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${color(random, [120, 220])}"/><stop offset="1" stop-color="${color(random, [180, 250])}"/></linearGradient></defs><rect width="100" height="100" fill="url(#sky)"/>`;
}

function background(random) {
  const hills = Array.from({ length: 3 }, (_, index) => {
    const [y, bend] = [45 + index * 15, random.integer(-15, 15)];
    return `<path d="M0 ${y} Q 30 ${y + bend} 55 ${y} T 100 ${y} V 100 H 0 Z" fill="${color(random)}"/>`;
  });
  const discs = Array.from({ length: 8 }, () => {
    const [x, y, r] = [random.integer(0, 100), random.integer(0, 90), random.integer(2, 8)];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="${color(random)}"/>`;
  });
  const posts = Array.from({ length: 6 }, () => {
    const [x, y] = [random.integer(0, 98), random.integer(20, 60)];
    return `<rect x="${x}" y="${y}" width="1.6" height="40" fill="${color(random)}"/>`;
  });
  return [...hills, ...discs, ...posts];
}

function bust(random, layer) {
  const [x, y] = [random.integer(40, 60), random.integer(34, 42)];
  const tone = random.integer(0, 9);
  const skin = `rgb(${232 - tone * 15},${179 - tone * 13},${150 - tone * 12})`;
  const fills = {
    picture: { cloth: color(random), skin, hair: `rgb(${40 + tone * 4},30,24)` },
    subject: { cloth: '#fff', skin: '#fff', hair: '#fff' },
    skin: { cloth: '#000', skin: '#fff', hair: '#000' },
  }[layer];
  return [
    `<ellipse cx="${x}" cy="100" rx="30" ry="36" fill="${fills.cloth}"/>`,
    `<ellipse cx="${x}" cy="${y - 3}" rx="13.5" ry="18" fill="${fills.hair}"/>`,
    `<rect x="${x - 5}" y="${y + 8}" width="10" height="20" fill="${fills.skin}"/>`,
    `<ellipse cx="${x}" cy="${y}" rx="11.5" ry="15" fill="${fills.skin}"/>`,
  ];
}
