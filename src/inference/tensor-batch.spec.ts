import { describe, expect, it } from 'vitest';
import { float32Tensor, uint8Tensor, zeros } from './tensor.js';
import { stack, unstack } from './tensor-batch.js';

describe('stack and unstack', () => {
  const items = [float32Tensor([1, 2, 2], [1, 2, 3, 4]), float32Tensor([1, 2, 2], [5, 6, 7, 8])];

  it('join items along the batch axis and split them again', () => {
    const batch = stack(items);
    expect(batch.dims).toEqual([2, 2, 2]);
    expect([...batch.data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(unstack(batch, 2)).toEqual(items);
  });

  it('give every item a buffer of its own, so that each can be moved to another thread', () => {
    const [first, second] = unstack(stack(items), 2);
    expect(first!.data.buffer).not.toBe(second!.data.buffer);
    expect(second!.data.byteLength).toBe(second!.data.buffer.byteLength);
  });

  it('copy nothing for a batch of one', () => {
    const one = uint8Tensor([1, 3], Uint8Array.of(1, 2, 3));
    expect(stack([one])).toBe(one);
    expect(unstack(one, 1)).toEqual([one]);
    expect(unstack(one, 1)[0]).toBe(one);
  });

  it('copy a single item out of a larger buffer', () => {
    const view = new Uint8Array(new ArrayBuffer(8), 4, 3).fill(7);
    const [item] = unstack(uint8Tensor([1, 3], view), 1);
    expect(item!.data.buffer.byteLength).toBe(3);
    expect([...item!.data]).toEqual([7, 7, 7]);
  });

  it('refuse items of different shapes or types, and a batch of another size', () => {
    expect(() => stack([zeros('uint8', [1, 2, 3]), zeros('uint8', [1, 2, 4])])).toThrow(
      'a batch of uint8[1,2,3] cannot take uint8[1,2,4]',
    );
    expect(() => stack([zeros('uint8', [1, 2]), zeros('float32', [1, 2])])).toThrow(
      'cannot take float32[1,2]',
    );
    expect(() => stack([])).toThrow('at least one');
    expect(() => unstack(zeros('uint8', [3, 2]), 2)).toThrow('a batch of 2 came back as 3');
  });
});
