import { describe, expect, it } from 'vitest';
import { sourcesOf } from './model-sources.js';

const FILE = {
  name: 'a b.onnx',
  address: 'https://example.org/models/a%20b.onnx?download=true',
  bytes: null,
  sha256: null,
  mirrors: ['https://example.net/a.onnx'],
};

describe('sourcesOf', () => {
  it('lists the address and the mirrors of the catalog', () => {
    expect(sourcesOf(FILE, undefined)).toEqual([FILE.address, ...FILE.mirrors]);
  });

  it.each([
    ['/srv/models', '/srv/models/a b.onnx'],
    ['http://localhost:8000/models/', 'http://localhost:8000/models/a%20b.onnx'],
  ])('lists only the file of the mirror %s', (mirror, expected) => {
    expect(sourcesOf(FILE, mirror)).toEqual([expected]);
  });

  it.each(['models', './models', 'file:///srv/models', 'ftp://example.org/models'])(
    'refuses the mirror %s',
    (mirror) => {
      expect(() => sourcesOf(FILE, mirror)).toThrow(
        `MODELS_MIRROR must be the absolute path of a folder, or an http(s) address, not "${mirror}".`,
      );
    },
  );
});
