import { describe, expect, it } from 'vitest';
import { MAX_PHOTO_BYTES, MAX_PHOTOS, resultFault, sortFiles } from './photo-file.js';

const file = (name: string, type: string, size = 3) => new File([new Uint8Array(size)], name, { type });
const text = file('notes.txt', 'text/plain');
const jpeg = file('a.jpg', 'image/jpeg');
const png = file('b.png', 'image/png');

describe('sortFiles', () => {
  it('accepts photos without complaint', () => {
    expect(sortFiles([jpeg])).toEqual({ photos: [jpeg], refused: [], folder: null });
    expect(sortFiles([jpeg, png], 'Summer')).toEqual({ photos: [jpeg, png], refused: [], folder: 'Summer' });
  });

  it('reports which files it refuses, and why', () => {
    const large = file('large.png', 'image/png', MAX_PHOTO_BYTES + 1);
    const empty = file('empty.jpg', 'image/jpeg', 0);
    const { photos, refused } = sortFiles([text, jpeg, large, empty]);
    expect(photos).toEqual([jpeg]);
    expect(refused).toEqual([
      { name: 'notes.txt', reason: expect.stringMatching(/^notes.txt is not/) },
      { name: 'large.png', reason: expect.stringMatching(/^large.png is larger than 20 MB/) },
      { name: 'empty.jpg', reason: expect.stringMatching(/^empty.jpg is empty/) },
    ]);
  });

  it('reports files that could not be read', () => {
    const { photos, refused } = sortFiles([jpeg], 'Summer', ['gone.jpg']);
    expect(photos).toEqual([jpeg]);
    expect(refused).toEqual([
      { name: 'gone.jpg', reason: expect.stringMatching(/^gone.jpg couldn't be opened/) },
    ]);
  });

  it('ignores files that operating systems leave in folders', () => {
    const litter = [file('.DS_Store', ''), file('Thumbs.db', ''), file('._a.jpg', '')];
    expect(sortFiles([...litter, jpeg])).toEqual({ photos: [jpeg], refused: [], folder: null });
  });

  it('accepts no more photos than a batch can have', () => {
    const { photos, refused } = sortFiles(Array.from({ length: MAX_PHOTOS + 1 }, () => jpeg));
    expect(photos).toHaveLength(MAX_PHOTOS);
    expect(refused).toHaveLength(1);
  });
});

describe('resultFault', () => {
  it('refuses only what is too large to upload', () => {
    expect(resultFault({ bytes: MAX_PHOTO_BYTES })).toBeNull();
    expect(resultFault({ bytes: MAX_PHOTO_BYTES + 1 })).toMatch(/larger than 20 MB/);
  });
});
