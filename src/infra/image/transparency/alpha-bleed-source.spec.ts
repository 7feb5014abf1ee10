import { describe, expect, it } from 'vitest';
import { MemoryPixels } from '../testing/memory-pixels.js';
import { enlargeable } from './alpha-bleed-source.js';

const SUBJECT = [220, 180, 150];
const BACKGROUND = [20, 40, 220];

type AlphaAt = (x: number, y: number) => number;

function picture(alphaAt: AlphaAt, width = 90, height = 70): MemoryPixels {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += 4) {
      const alpha = alphaAt(x, y);
      data.set([...(alpha === 0 ? BACKGROUND : SUBJECT), alpha], at);
    }
  return new MemoryPixels({ width, height, channels: 4 }, data);
}

async function enlarged(source: MemoryPixels, region = { x: 0, y: 0, ...sizeOf(source) }) {
  const read = new MemoryPixels({ ...region, channels: 4 });
  await enlargeable(source, 2).read(region, read.data);
  return read;
}

const sizeOf = ({ width, height }: MemoryPixels) => ({ width, height });
const soft: AlphaAt = (x, y) => Math.max(0, Math.min(255, (22 - Math.hypot(x - 40, y - 30)) * 60));
/** Every value that an alpha channel and colors can have. */
const noise: AlphaAt = (x, y) => (Math.imul(x + 91 * y + 1, 2654435761) >>> 24) * ((x >> 3) & 1);

describe('enlargeable', () => {
  it('fills transparent pixels near the subject with its color, and leaves others', async () => {
    const filled = await enlarged(picture((x) => (x < 30 ? 255 : 0)));
    for (let x = 30; x < 36; x++)
      for (const [c, value] of SUBJECT.entries())
        expect(Math.abs(filled.pixel(x, 40)[c]! - value), `${x}`).toBeLessThanOrEqual(4);
    expect(filled.pixel(42, 40)).toEqual([...BACKGROUND, 0]);
  });

  it('takes the color of single thin hairs', async () => {
    const filled = await enlarged(picture((x) => (x === 40 ? 160 : 0)));
    for (const x of [38, 39, 41, 42])
      for (const [c, value] of SUBJECT.entries())
        expect(Math.abs(filled.pixel(x, 30)[c]! - value), `${x}`).toBeLessThanOrEqual(8);
  });

  it.each(Object.entries({ soft, noise }))(
    'changes neither alpha nor visible pixels: %s',
    async (_, alphaAt) => {
      const source = picture(alphaAt);
      const filled = await enlarged(source);
      let changed = 0;
      for (let at = 0; at < source.data.length; at += 4) {
        expect(filled.data[at + 3]).toBe(source.data[at + 3]);
        const isSame =
          Buffer.compare(filled.data.subarray(at, at + 4), source.data.subarray(at, at + 4)) === 0;
        if (!isSame && source.data[at + 3] !== 0) changed++;
      }
      expect(changed).toBe(0);
    },
  );

  it.each(Object.entries({ soft, noise }))('reads parts as they are in the whole: %s', async (_, alphaAt) => {
    // Wide enough for several strips.
    const source = picture(alphaAt, 6_000, 150);
    const filled = await enlarged(source);
    for (const region of [
      { x: 0, y: 0, width: 40, height: 40 },
      { x: 33, y: 17, width: 29, height: 31 },
      { x: 5_960, y: 61, width: 40, height: 89 },
    ]) {
      const expected = new MemoryPixels({ ...region, channels: 4 });
      await filled.read(region, expected.data);
      const part = await enlarged(source, region);
      expect(Buffer.compare(part.data, expected.data)).toBe(0);
    }
  });

  it.each([
    ['opaque', 255],
    ['hardly visible', 1],
    ['clear', 0],
  ] as const)('does not change a picture that is %s everywhere', async (_, alpha) => {
    const source = picture(() => alpha);
    expect(Buffer.compare((await enlarged(source)).data, source.data)).toBe(0);
  });

  it('leaves sources without alpha, and those that are not enlarged, as they are', () => {
    const opaque = new MemoryPixels({ width: 8, height: 8, channels: 3 });
    expect(enlargeable(opaque, 2)).toBe(opaque);
    const source = picture(soft);
    expect(enlargeable(source, 1)).toBe(source);
  });
});
