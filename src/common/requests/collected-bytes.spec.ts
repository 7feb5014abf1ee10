import { describe, expect, it } from 'vitest';
import { CollectedBytes } from './collected-bytes.js';

describe('CollectedBytes', () => {
  it.each([0, 1, 100_000])('joins chunks of any size, with a capacity of %i', (capacity) => {
    const collected = new CollectedBytes(capacity);
    expect(collected.text()).toBe('');
    const sizes = [1, 2, 4_093, 0, 1, 70_000, 3];
    const parts = sizes.map((size, index) => String(index).repeat(size));
    for (const part of parts) collected.add(Buffer.from(part));
    expect(collected.length).toBe(74_100);
    expect(collected.text() === parts.join('')).toBe(true);
  });

  it('joins characters that are split between chunks, and keeps its own copy of a reused chunk', () => {
    const collected = new CollectedBytes();
    const chunk = Buffer.alloc(1);
    for (const byte of Buffer.from('ä€😀')) {
      chunk[0] = byte;
      collected.add(chunk);
    }
    expect(collected.text()).toBe('ä€😀');
  });
});
