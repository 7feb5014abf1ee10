import { describe, expect, it } from 'vitest';
import { newId } from '../../kernel/ids.js';
import { FileUrls, splitFileName } from './file-urls.js';

const SETTINGS = {
  publicUrl: 'https://images.example/base',
  signingKeys: () => ['k'.repeat(32)],
  ttlSeconds: 86_400,
};
const urls = new FileUrls(SETTINGS);
const id = newId('source');
const NOW_MS = 1_800_000_000_000;

/** The file name, expiry, and signature of a signed URL. */
function partsOf(url: string): { name: string; exp: string; sig: string } {
  const { pathname, searchParams } = new URL(url);
  return {
    name: pathname.split('/').at(-1)!,
    exp: searchParams.get('exp')!,
    sig: searchParams.get('sig')!,
  };
}

describe('FileUrls.sign', () => {
  it('puts the file, expiry, and signature under the public address', () => {
    const url = urls.sign(id, 'jpeg', NOW_MS);
    expect(url).toMatch(
      new RegExp(`^https://images\\.example/base/files/${id}\\.jpg\\?exp=1800086400&sig=[0-9a-f]{64}$`),
    );
    const { name, exp, sig } = partsOf(url);
    expect(urls.isSigned(name, exp, sig)).toBe(true);
  });
});

describe('FileUrls.isSigned', () => {
  const { name, exp, sig } = partsOf(urls.sign(id, 'png', NOW_MS));

  it.each([
    [
      'another file',
      name.replace(/[0-9a-f]\.png/, (end) => (end.startsWith('0') ? '1.png' : '0.png')),
      exp,
      sig,
    ],
    ['another ending', name.replace('.png', '.jpg'), exp, sig],
    ['a later time', name, String(Number(exp) + 1), sig],
    ['the same time written otherwise', name, `0${exp}`, sig],
    ['no time', name, '', sig],
    ['a shorter signature', name, exp, sig.slice(0, -1)],
    ['a longer signature', name, exp, `${sig}0`],
    ['a signature in capitals', name, exp, sig.toUpperCase()],
    ['another signature', name, exp, sig.replace(/^./, (first) => (first === '0' ? '1' : '0'))],
    ['no signature', name, exp, ''],
    ['letters of several bytes', name, exp, 'é'.repeat(32)],
  ])('refuses %s', (_, changedName, changedExp, changedSig) => {
    expect(urls.isSigned(changedName, changedExp, changedSig)).toBe(false);
  });

  it('refuses a signature by another key', () => {
    const other = new FileUrls({ ...SETTINGS, signingKeys: () => ['x'.repeat(32)] });
    expect(other.isSigned(name, exp, sig)).toBe(false);
  });

  it('signs with the newest key and accepts the older ones until they are removed', () => {
    const keys = ['k'.repeat(32)];
    const rotated = new FileUrls({ ...SETTINGS, signingKeys: () => keys });
    const before = partsOf(rotated.sign(id, 'png', NOW_MS));
    keys.unshift('n'.repeat(32));
    const after = partsOf(rotated.sign(id, 'png', NOW_MS));
    expect(after.sig).not.toBe(before.sig);
    for (const { name: file, exp: until, sig: mac } of [before, after])
      expect(rotated.isSigned(file, until, mac)).toBe(true);
    keys.pop();
    expect(rotated.isSigned(before.name, before.exp, before.sig)).toBe(false);
    expect(rotated.isSigned(after.name, after.exp, after.sig)).toBe(true);
  });

  it('does not check the time: an expired URL is still signed', () => {
    const old = partsOf(urls.sign(id, 'png', 0));
    expect(urls.isSigned(old.name, old.exp, old.sig)).toBe(true);
  });
});

describe('FileUrls.idIn', () => {
  it.each([
    urls.sign(id, 'jpeg', NOW_MS),
    `${SETTINGS.publicUrl}/files/${id}.jpg`,
    `${SETTINGS.publicUrl}/files/${id}.webp?exp=1&sig=wrong#part`,
    `HTTPS://IMAGES.EXAMPLE/base/files/${id}.png`,
    `https://images.example:443/base/files/${id}.avif`,
  ])('finds the id in %s', (url) => {
    expect(urls.sourceIdIn(url)).toBe(id);
  });

  it.each([
    '',
    id,
    `/base/files/${id}.jpg`,
    `http://images.example/base/files/${id}.jpg`,
    `https://images.example:8443/base/files/${id}.jpg`,
    `https://images.example.evil/base/files/${id}.jpg`,
    `https://evil.example/base/files/${id}.jpg`,
    `https://images.example@evil.example/base/files/${id}.jpg`,
    `https://images.example/files/${id}.jpg`,
    `https://images.example/based/files/${id}.jpg`,
    `https://images.example/base/files/../${id}.jpg`,
    `https://images.example/base/files/x/${id}.jpg`,
    `https://images.example/base/files/${id}`,
    `https://images.example/base/files/${id}.gif`,
    `https://images.example/base/files/${id}.jpg.png`,
    `https://images.example/base/files/${newId('job')}.jpg`,
    `https://images.example/base/files/${id.toUpperCase()}.jpg`,
  ])('finds none in %s', (url) => {
    expect(urls.sourceIdIn(url)).toBeUndefined();
  });

  it('works for a public address without a path', () => {
    const plain = new FileUrls({ ...SETTINGS, publicUrl: 'http://localhost:3000' });
    expect(plain.sourceIdIn(plain.sign(id, 'png'))).toBe(id);
  });
});

describe('FileUrls.current', () => {
  const signed = urls.sign(id, 'jpeg', NOW_MS);

  it.each(['http://localhost:3000', 'https://images.example', 'https://images.example/base'])(
    'moves an address that was signed as %s',
    (publicUrl) => {
      const earlier = new FileUrls({ ...SETTINGS, publicUrl }).sign(id, 'jpeg', NOW_MS);
      expect(urls.current(earlier)).toBe(signed);
    },
  );

  it.each(['', 'x', `https://other.example/${id}.jpg`, `https://other.example/files/${newId('job')}.jpg`])(
    'leaves %j as it is',
    (text) => {
      expect(urls.current(text)).toBe(text);
    },
  );
});

describe('splitFileName', () => {
  it('splits a name of the given kind', () => {
    expect(splitFileName(`${id}.jpg`, 'source')).toEqual({ id, format: 'jpeg' });
    expect(splitFileName(`${id}.jpg`, 'job')).toBeUndefined();
    expect(splitFileName(`${id}.jpeg`, 'source')).toBeUndefined();
  });
});
