import { describe, expect, it } from 'vitest';
import { readyLine } from './ready-line.js';

describe('readyLine', () => {
  it('names the address, the documentation, and, at the first start, the key and password', () => {
    const url = 'http://localhost:3000';
    expect(readyLine(url, { email: 'demo@localhost', password: 'abc-def', key: 'ies_x' })).toBe(
      'Ready: http://localhost:3000 — docs http://localhost:3000/docs — demo key ies_x — sign in as demo@localhost with password abc-def',
    );
    expect(readyLine(url, undefined)).toBe('Ready: http://localhost:3000 — docs http://localhost:3000/docs');
  });
});
