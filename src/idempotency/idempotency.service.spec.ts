import { describe, expect, it } from 'vitest';
import { fingerprintOf } from './idempotency.service.js';

const OPERATION = 'POST /api/ai/enhance';

describe('fingerprintOf', () => {
  it('ignores the order of fields at any depth', () => {
    expect(fingerprintOf(OPERATION, { a: 1, b: { c: 2, d: [1, { e: 1, f: 2 }] } })).toBe(
      fingerprintOf(OPERATION, { b: { d: [1, { f: 2, e: 1 }], c: 2 }, a: 1 }),
    );
  });

  it('ignores undefined fields', () => {
    expect(fingerprintOf(OPERATION, { a: 1, b: undefined })).toBe(fingerprintOf(OPERATION, { a: 1 }));
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 2 }],
    [{ a: null }, {}],
    [{ a: [1, 2] }, { a: [2, 1] }],
    [{ a: [] }, { a: {} }],
    [{ a: '' }, { a: null }],
    [{ 'a:1,b': 2 }, { a: 1, b: 2 }],
    [{ a: '1,"b":2' }, { a: '1', b: 2 }],
    [{ a: { b: 1 } }, { a: 1, b: 1 }],
  ])('distinguishes %j from %j', (one, other) => {
    expect(fingerprintOf(OPERATION, one)).not.toBe(fingerprintOf(OPERATION, other));
  });

  it('distinguishes operations', () => {
    expect(fingerprintOf('POST /a', {})).not.toBe(fingerprintOf('POST /b', {}));
    expect(fingerprintOf('POST /a', { b: 1 })).not.toBe(fingerprintOf('POST /a\n', { b: 1 }));
  });
});
