import { describe, expect, it } from 'vitest';
import { ReusableBuffers } from './reusable-buffers.js';

describe('ReusableBuffers', () => {
  it('reuses a buffer of the same size', () => {
    const buffers = new ReusableBuffers();
    const first = buffers.take(8);
    expect(buffers.take(8)).not.toBe(first);
    buffers.give([first]);
    expect(buffers.take(4)).not.toBe(first);
    expect(buffers.take(8)).toBe(first);
  });

  it('recognizes its own buffers', () => {
    const buffers = new ReusableBuffers();
    expect(buffers.has(buffers.take(8))).toBe(true);
    expect(buffers.has(new ArrayBuffer(8))).toBe(false);
  });

  it('drops the oldest buffers when there are too many', () => {
    const buffers = new ReusableBuffers();
    const given = Array.from({ length: 10 }, () => new ArrayBuffer(8));
    buffers.give(given);
    expect(given.map(() => given.indexOf(buffers.take(8)))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, -1, -1]);
  });
});
