import { describe, expect, it } from 'vitest';
import { Printed } from './administered.js';
import { answerText } from './answer-text.js';

describe('what npm run admin prints without --json', () => {
  it('has a line for each value, and an empty line between rows', () => {
    const limits = { rpm: 600, keys: 15 };
    expect(
      answerText([
        { email: 'a@example.com', limits, scopes: ['image:read', 'ai:enhance'], revokedAt: null },
        { email: 'b@example.com', limits: {}, scopes: [], createdAt: new Date(0) },
      ]),
    ).toBe(
      `email: a@example.com
limits: rpm=600, keys=15
scopes: image:read, ai:enhance
revokedAt: none

email: b@example.com
limits: none
scopes: none
createdAt: 1970-01-01T00:00:00.000Z
`,
    );
  });

  it('has a table for a list of records', () => {
    const versions = [
      { version: '1', state: 'serving', workers: ['wrk_1', 'wrk_2'], reasons: [] },
      { version: '12', state: 'refused', workers: [], reasons: [{ worker: 'wrk_1', reason: 'too\nlarge' }] },
    ];
    expect(answerText({ operation: 'upscale', versions, offered: 1 })).toBe(
      `operation: upscale
versions:
  version  state    workers       reasons
        1  serving  wrk_1, wrk_2  none
       12  refused  none          worker=wrk_1, reason=too large
offered: 1
`,
    );
  });

  it('has a line for each text of a long list', () => {
    const lines = ['{"level":30,"msg":"ready"}', 'x'.repeat(100)];
    expect(answerText({ lines })).toBe(`lines:\n  ${lines.join('\n  ')}\n`);
  });

  it('rounds measured values, and leaves whole numbers as they are', () => {
    const figures = {
      ms: 10.512195121951219,
      ratio: 0.30000000000000004,
      tiny: 0.000123456,
      bytes: 12345678901,
    };
    expect(answerText({ ...figures, rows: [{ db: 41.23456 }] })).toBe(
      'ms: 10.51\nratio: 0.3\ntiny: 0.000123\nbytes: 12345678901\nrows:\n     db\n  41.23\n',
    );
  });

  it('shows escape sequences instead of sending them to the terminal', () => {
    expect(answerText({ name: '\u001b[2Jkey', log: 'a\n\tb\u009b' })).toBe(
      'name: \\u001b[2Jkey\nlog: a\n\tb\\u009b\n',
    );
  });

  it('is "none" for an empty list, and a text as it is', () => {
    expect(answerText([])).toBe('none\n');
    expect(answerText(new Printed('day,count\n', []))).toBe('day,count\n');
  });
});
