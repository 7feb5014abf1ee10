import { describe, expect, it } from 'vitest';
import { everyField } from '../testing/manifests.js';
import { checkManifest } from '../manifest/manifest-check.js';
import { parseManifest } from './parse-manifest.js';

const MANIFEST = everyField().onnx;

describe('parseManifest', () => {
  it('reads the old name of the field license', () => {
    const { license, ...others } = MANIFEST;
    const old = JSON.stringify({ ...others, licence: license });
    expect(parseManifest(old)).toEqual(MANIFEST);
    expect(checkManifest(parseManifest(old), 'smooth_skin').ok).toBe(true);
  });

  it('skips a byte order mark', () => {
    expect(parseManifest(`\uFEFF${JSON.stringify(MANIFEST)}`)).toEqual(MANIFEST);
  });

  it('says where text stops being JSON', () => {
    expect(() => parseManifest('{\n  "name": "x",\n}')).toThrow(/^line 3, column 1: Expected/);
  });

  it.each(['{"license":"MIT","licence":"X"}', '{"name":"x"}', '[1]', 'null', '"licence"', '3'])(
    'does not change %s',
    (text) => expect(parseManifest(text)).toEqual(JSON.parse(text)),
  );
});
