import { describe, expect, it } from 'vitest';
import { requestedRange } from './byte-range.js';

describe('requestedRange, of a file of 100 bytes', () => {
  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=0-0', 0, 0],
    ['bytes=99-', 99, 99],
    ['bytes=0-', 0, 99],
    ['bytes=50-1000', 50, 99],
    ['bytes=-1', 99, 99],
    ['bytes=-100', 0, 99],
    ['bytes=-5000', 0, 99],
    ['BYTES=5-6', 5, 6],
    ['bytes= 5-6 ', 5, 6],
    [`bytes=1-${'9'.repeat(400)}`, 1, 99],
  ])('%s is bytes %i to %i', (header, start, end) => {
    expect(requestedRange(header, 100)).toEqual({ start, end });
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])(
    '%s cannot be satisfied',
    (header) => {
      expect(requestedRange(header, 100)).toBe('unsatisfiable');
    },
  );

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=9-5',
    'bytes=a-b',
    'bytes=1.5-3',
    'bytes=--5',
    'bytes=0x1-5',
    'bytes=0-1,5-6',
    'bytes=0-1,',
    'items=0-5',
    'bytes=0-5; q=1',
  ])('%s is ignored', (header) => {
    expect(requestedRange(header, 100)).toBeNull();
  });

  it('cannot satisfy any range of an empty file', () => {
    expect(requestedRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(requestedRange('bytes=-5', 0)).toBe('unsatisfiable');
  });
});
