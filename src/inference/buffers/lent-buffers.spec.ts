import { describe, expect, it } from 'vitest';
import { lendBuffer, returnBuffer } from './lent-buffers.js';

describe('lent buffers', () => {
  it('come back once, when their last user has returned its view', () => {
    const buffer = new ArrayBuffer(8);
    const returned: ArrayBuffer[] = [];
    lendBuffer(buffer, 2, (free) => returned.push(free));
    returnBuffer(new Uint8Array(buffer, 0, 4));
    expect(returned).toEqual([]);
    returnBuffer(new Uint8Array(buffer, 4, 4));
    expect(returned).toEqual([buffer]);
    expect(buffer.byteLength).toBe(8);
  });

  it('can be lent again', () => {
    const buffer = new ArrayBuffer(4);
    let count = 0;
    for (let round = 0; round < 2; round += 1) {
      lendBuffer(buffer, 1, () => (count += 1));
      returnBuffer(new Uint8Array(buffer));
    }
    expect(count).toBe(2);
  });

  it('are freed at once if they were not lent', () => {
    const view = new Uint8Array(4);
    returnBuffer(view);
    expect(view.length).toBe(0);
  });
});
