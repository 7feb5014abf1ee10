import { describe, expect, it } from 'vitest';
import { choosePhoto, MAX_PHOTO_BYTES } from './photo-file.js';

const file = (name: string, type: string, size = 3) => new File([new Uint8Array(size)], name, { type });
const text = file('notes.txt', 'text/plain');
const jpeg = file('a.jpg', 'image/jpeg');
const png = file('b.png', 'image/png');

describe('choosePhoto', () => {
  it('takes the one photo without a word', () => {
    expect(choosePhoto([jpeg])).toEqual({ file: jpeg, fault: null, note: null });
  });

  it('takes the first photo of several files and says so', () => {
    expect(choosePhoto([text, jpeg, png])).toEqual({
      file: jpeg,
      fault: null,
      note: 'You added 3 files. Using a.jpg.',
    });
  });

  it('says what it cannot take, and why', () => {
    expect(choosePhoto([text])).toMatchObject({
      file: null,
      fault: expect.stringMatching(/^notes.txt is not/),
    });
    const large = file('large.png', 'image/png', MAX_PHOTO_BYTES + 1);
    expect(choosePhoto([large])).toMatchObject({
      file: null,
      fault: expect.stringMatching(/^large.png is larger than 20 MB/),
    });
  });
});
