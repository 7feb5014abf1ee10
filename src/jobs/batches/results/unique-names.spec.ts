import { describe, expect, it } from 'vitest';
import { selectedFiles, type StoredItem } from './result-files.js';
import { UniqueNames } from './unique-names.js';

/** The names in the archive of results of uploads with these names. */
function archived(...uploads: readonly string[]): string[] {
  const stored = uploads.map((_, index) => ({
    job: { id: `job_${index}`, operation: 'upscale', steps: null, resultFormat: 'png', resultBytes: 1 },
    crc32: 0,
  })) as unknown as StoredItem[];
  const names = new Map(uploads.map((name, index) => [`job_${index}`, name]));
  return selectedFiles(stored, names).map(({ name }) => name);
}

describe('the names of selected results', () => {
  it('differ in more than their case', () => {
    expect(archived('Cat.png', 'cat.jpg', 'CAT.png')).toEqual([
      'Cat-upscaled.png',
      'cat-upscaled-2.png',
      'CAT-upscaled-3.png',
    ]);
  });

  it('differ in more than the form of their accents', () => {
    expect(archived('caf\u00e9.png', 'cafe\u0301.png')).toEqual([
      'caf\u00e9-upscaled.png',
      'cafe\u0301-upscaled-2.png',
    ]);
  });

  it('get a number that no other name has', () => {
    const names = new UniqueNames();
    const taken = ['a-2.png', 'a.png', 'A.png', 'a.png'].map((name) => names.take(name));
    expect(taken).toEqual(['a-2.png', 'a.png', 'A-3.png', 'a-4.png']);
  });
});
