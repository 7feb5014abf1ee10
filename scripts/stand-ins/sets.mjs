import sharp from 'sharp';
import { seededRandom } from '../chaos/random.mjs';
import { mutated } from '../fuzz/mutate.mjs';
import { corruptPngs, validPngs } from './conformance.mjs';
import { scene } from './drawings.mjs';
import { chunk, header, SIGNATURE } from './png.mjs';

const HOSTILE_MUTATIONS = 24;

/**
 * The stand-ins by folder of ../shared/data. Each function creates its files, by name.
 * @type {Record<string, () => Promise<Record<string, Buffer>>>}
 */
export const SETS = {
  'files/pngsuite': async () => ({ ...validPngs(), ...corruptPngs() }),
  'files/avif': avifs,
  'files/exif-orientation': orientations,
  'files/hostile': hostile,
  'sr/Set5/x2/HR': () => scenes(['baby', 'bird', 'butterfly', 'head', 'woman'], 1, 256, 192),
  'sr/Set5/x2/LR': () => halves(['baby', 'bird', 'butterfly', 'head', 'woman'], 1, 256, 192),
  'sr/Set14/x2/HR': () => scenes(['barbara', 'bridge', 'lenna'], 20, 256, 256),
  'sr/Set14/x2/LR': () => halves(['barbara', 'bridge', 'lenna'], 20, 256, 256),
  'seg/SOD/image': () => scenes(['1', '2', '3'], 40, 320, 240),
  'seg/SOD/mask': () => scenes(['1', '2', '3'], 40, 320, 240, 'subject'),
  'seg/CCP/image': () => scenes(['0001', '0026', '0051'], 60, 240, 320),
  'seg/CCP/mask': () => scenes(['0001', '0026', '0051'], 60, 240, 320, 'subject'),
  'skin/CCP/mask': () => scenes(['0001', '0026', '0051'], 60, 240, 320, 'skin'),
  'enhance/fivek/target': () => scenes(['a0481', 'a1305', 'a2995'], 80, 320, 240),
  'enhance/fivek/input': () => darkened(['a0481', 'a1305', 'a2995'], 80, 320, 240, 'png'),
  'enhance/lowlight': () => darkened(['01', '09', '17'], 90, 320, 240, 'jpg'),
};

async function scenes(names, seed, width, height, layer = 'picture') {
  const files = names.map(async (name, index) => [
    `${name}.png`,
    await scene(seed + index, width, height, layer),
  ]);
  return Object.fromEntries(await Promise.all(files));
}

async function mapped(files, change) {
  const entries = Object.entries(await files).map(async ([name, bytes]) => change(name, bytes));
  return Object.fromEntries(await Promise.all(entries));
}

/** Uses the antialiased cubic filter of the published sets. */
function halves(names, seed, width, height) {
  return mapped(scenes(names, seed, width, height), async (name, bytes) => [
    name,
    await sharp(bytes)
      .resize(width / 2, height / 2, { kernel: 'cubic' })
      .png()
      .toBuffer(),
  ]);
}

function darkened(names, seed, width, height, extension) {
  return mapped(scenes(names, seed, width, height), async (name, bytes) => [
    name.replace(/png$/, extension),
    await sharp(bytes).linear(0.4, 4).toFormat(extension).toBuffer(),
  ]);
}

async function avifs() {
  const files = {};
  for (const [tail, width, height] of [
    ['', 96, 64],
    ['.odd-width', 95, 64],
    ['.odd-height', 96, 63],
    ['.odd-width.odd-height', 95, 63],
  ]) {
    const drawn = sharp(await scene(100, width, height));
    files[`drawn.8bpc.yuv420${tail}.avif`] = await drawn
      .clone()
      .avif({ effort: 0, chromaSubsampling: '4:2:0' })
      .toBuffer();
    files[`drawn.8bpc.yuv444${tail}.avif`] = await drawn.clone().avif({ effort: 0 }).toBuffer();
    files[`drawn.8bpc.monochrome${tail}.avif`] = await drawn
      .clone()
      .toColourspace('b-w')
      .avif({ effort: 0 })
      .toBuffer();
  }
  return files;
}

/** Transformations of the pixels that the orientation tag reverts; 0 has no tag. */
const TURNS = {
  0: (image) => image,
  1: (image) => image,
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.flip().rotate(90),
  6: (image) => image.rotate(270),
  7: (image) => image.flip().rotate(270),
  8: (image) => image.rotate(90),
};

async function orientations() {
  const files = {};
  for (const [shape, width, height] of [
    ['Landscape', 600, 450],
    ['Portrait', 450, 600],
  ]) {
    const upright = await scene(110, width, height);
    for (const [orientation, turn] of Object.entries(TURNS)) {
      const turned = sharp(await turn(sharp(upright)).png().toBuffer()).jpeg({ quality: 90 });
      const tagged = orientation === '0' ? turned : turned.withMetadata({ orientation: Number(orientation) });
      files[`${shape}_${orientation}.jpg`] = await tagged.toBuffer();
    }
  }
  return files;
}

/**
 * Files that must be rejected or decoded: truncated, mutated, too large according to the header, or in another format.
 */
async function hostile() {
  const png = await scene(120, 64, 48);
  const jpeg = await sharp(png).jpeg().toBuffer();
  const random = seededRandom(121, 'hostile');
  const mutations = Array.from({ length: HOSTILE_MUTATIONS }, (_, index) => {
    const [seed, extension] = index % 2 === 0 ? [png, 'png'] : [jpeg, 'jpg'];
    return [`mutated-${String(index).padStart(2, '0')}.${extension}`, mutated([seed], random)];
  });
  const huge = header({ width: 100_000, height: 100_000, depth: 8, color: 2 });
  return {
    ...Object.fromEntries(mutations.filter(([, bytes]) => bytes.length > 0)),
    'cut-off.png': png.subarray(0, png.length >> 1),
    'cut-off.jpg': jpeg.subarray(0, jpeg.length >> 1),
    'huge.png': Buffer.concat([SIGNATURE, huge, chunk('IDAT', Buffer.alloc(9)), chunk('IEND')]),
    'signature-only.png': SIGNATURE,
    'text.png': Buffer.from('This is not a picture.\n'),
    'zeros.jpg': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(400)]),
  };
}
