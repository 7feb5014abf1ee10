import { describe, expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseTraceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [` 00-${TRACE}-${SPAN}-03 `, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-brings`, true],
  ])('accepts %s', (header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['zeros as the trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['zeros as the span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
    ['more after version 00', `00-${TRACE}-${SPAN}-01-more`],
    ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['two headers in one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['a line break', `00-${TRACE}-${SPAN}-01\nx-api-key: stolen`],
    ['SQL', `00-${TRACE}-${SPAN}-01'; DROP TABLE jobs; --`],
    ['a very long text', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`],
    ['no text', { traceId: TRACE }],
  ])('ignores %s', (_what, header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });
});

describe('formatTraceparent', () => {
  it('writes version 00', () => {
    const parsed = parseTraceparent(`cc-${TRACE}-${SPAN}-09-more`)!;
    expect(formatTraceparent(parsed)).toBe(`00-${TRACE}-${SPAN}-01`);
  });
});
