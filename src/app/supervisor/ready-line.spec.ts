import { describe, expect, it } from 'vitest';
import { readyLine } from './ready-line.js';

describe('readyLine', () => {
  it('names the address, the documentation and, at first start, the key', () => {
    const url = 'http://localhost:3000';
    expect(readyLine(url, 'ies_x')).toBe(
      'Ready: http://localhost:3000 — docs http://localhost:3000/docs — demo key ies_x',
    );
    expect(readyLine(url, undefined)).toBe('Ready: http://localhost:3000 — docs http://localhost:3000/docs');
  });
});
