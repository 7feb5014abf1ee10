import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { AppError } from '../../src/kernel/app-error.js';
import { decodeImage } from '../../src/infra/image/codec/decode.js';

const LIMITS = { maxPixels: 50_000_000 };

function drawInto(folder: string): string {
  const script = join(ROOT, 'scripts', 'data-stand-ins.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--out', folder], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The hash of each file. */
function hashesOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
  return Object.fromEntries(
    paths.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(folder, path)))
        .digest('hex'),
    ]),
  );
}

describe('npm run data:stand-ins', () => {
  let folder: string;
  let output: string;
  const namesOf = (set: string): readonly string[] => readdirSync(join(folder, set)).toSorted();
  const codeOf = (path: string): Promise<string> =>
    decodeImage(readFileSync(path), LIMITS).then(
      () => 'ok',
      (error: unknown) => {
        if (error instanceof AppError) return error.code;
        throw error;
      },
    );

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ies-stand-ins-'));
    output = drawInto(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('draws valid and corrupt PNG files with names like those of PngSuite', async () => {
    const names = namesOf('files/pngsuite');
    const corrupt = names.filter((name) => name.startsWith('x'));
    expect(corrupt).toHaveLength(14);
    expect(names.length - corrupt.length).toBeGreaterThan(150);
    for (const name of names) {
      const expected = name.startsWith('x') ? 'undecodable_image' : 'ok';
      expect(await codeOf(join(folder, 'files/pngsuite', name)), name).toBe(expected);
    }
  });

  it('draws decodable AVIF files of odd sizes', async () => {
    const paths = namesOf('files/avif').map((name) => join(folder, 'files/avif', name));
    expect(paths.length).toBe(12);
    for (const path of paths) expect(await codeOf(path), path).toBe('ok');
  });

  it('draws one picture with every EXIF orientation', async () => {
    for (const shape of ['Landscape', 'Portrait']) {
      const pathOf = (tag: number): string => join(folder, `files/exif-orientation/${shape}_${tag}.jpg`);
      const upright = await decodeImage(readFileSync(pathOf(0)), LIMITS);
      for (let tag = 1; tag <= 8; tag += 1) {
        const { data, width, height } = await decodeImage(readFileSync(pathOf(tag)), LIMITS);
        expect([width, height], pathOf(tag)).toEqual([upright.width, upright.height]);
        const sum = data.reduce((total, value, at) => total + Math.abs(value - upright.data[at]!), 0);
        expect(sum / data.length, pathOf(tag)).toBeLessThan(4);
      }
    }
  });

  it('draws hostile files, some of which are refused', async () => {
    const paths = namesOf('files/hostile').map((name) => join(folder, 'files/hostile', name));
    const codes = await Promise.all(paths.map((path) => codeOf(path)));
    expect(codes).toContain('too_many_pixels');
    expect(codes).toContain('undecodable_image');
    expect(codes).toContain('ok');
  });

  it.each([
    ['sr/Set5/x2/LR', 'sr/Set5/x2/HR'],
    ['sr/Set14/x2/LR', 'sr/Set14/x2/HR'],
    ['seg/SOD/image', 'seg/SOD/mask'],
    ['seg/CCP/image', 'seg/CCP/mask'],
    ['seg/CCP/image', 'skin/CCP/mask'],
    ['enhance/fivek/input', 'enhance/fivek/target'],
  ])('draws %s with its ground truth', (input, truth) => {
    expect(namesOf(input).length).toBeGreaterThan(2);
    expect(namesOf(input)).toEqual(namesOf(truth));
  });

  it('leaves a folder whose drawn files were replaced', () => {
    const other = mkdtempSync(join(tmpdir(), 'ies-stand-ins-'));
    try {
      cpSync(folder, other, { recursive: true });
      const at = (name: string): string => join(other, 'files/pngsuite', name);
      writeFileSync(at('basn0g01.png'), 'published');
      rmSync(at('basn0g02.png'));
      // Removed by hand, to be drawn again.
      rmSync(join(other, 'files/avif'), { recursive: true });
      expect(drawInto(other)).toContain('Left as they are: files/pngsuite\n');
      expect(readFileSync(at('basn0g01.png'), 'utf8')).toBe('published');
      expect(readdirSync(join(other, 'files/pngsuite'))).not.toContain('basn0g02.png');
      expect(readdirSync(join(other, 'files')).toSorted()).toEqual(
        readdirSync(join(folder, 'files'))
          .filter((name) => name !== 'pngsuite.stand-ins')
          .toSorted(),
      );
      expect(readdirSync(join(other, 'files/avif')).toSorted()).toEqual(namesOf('files/avif'));
    } finally {
      rmSync(other, { recursive: true });
    }
  });

  it('draws the same files again, and leaves existing folders of others alone', () => {
    const before = hashesOf(folder);
    expect(Object.keys(before).length).toBeGreaterThan(250);
    expect(drawInto(folder)).toBe(output);
    expect(hashesOf(folder)).toEqual(before);
    const other = mkdtempSync(join(tmpdir(), 'ies-stand-ins-'));
    try {
      mkdirSync(join(other, 'files/avif'), { recursive: true });
      writeFileSync(join(other, 'files/avif/mine.avif'), 'mine');
      expect(drawInto(other)).toContain('Left as they are: files/avif\n');
      expect(readdirSync(join(other, 'files/avif'))).toEqual(['mine.avif']);
      expect(namesOf('files/hostile')).toEqual(readdirSync(join(other, 'files/hostile')).toSorted());
    } finally {
      rmSync(other, { recursive: true });
    }
  });
});
