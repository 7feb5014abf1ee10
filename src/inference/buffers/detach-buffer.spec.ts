import { describe, expect, it } from 'vitest';
import { detachBuffer } from './detach-buffer.js';

describe('detachBuffer', () => {
  it('frees the memory at once, without garbage collection', () => {
    const before = process.memoryUsage().arrayBuffers;
    const bytes = new Uint8Array(50_000_000).fill(1);
    const view = bytes.subarray(10, 20);
    expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(40_000_000);
    detachBuffer(bytes);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
    expect([bytes.length, view.length]).toEqual([0, 0]);
  });

  it('accepts an empty buffer', () => {
    const bytes = new Uint8Array(0);
    detachBuffer(bytes);
    expect(bytes).toHaveLength(0);
  });
});
