import { describe, expect, it } from 'vitest';
import { readLogLine } from './log-line.js';

describe('readLogLine', () => {
  it('shows time, level and message of a line, then its other fields', () => {
    const line = JSON.stringify({
      level: 40,
      time: '2030-01-31T12:34:56.000Z',
      role: 'worker',
      pid: 7,
      context: 'queue',
      error: { code: 'x' },
      msg: 'queue error',
    });
    expect(readLogLine(line)).toMatchObject({
      time: expect.stringMatching(/\d\d:34:56/) as string,
      level: 'warn',
      text: 'queue error',
      fields: 'context=queue error={"code":"x"}',
    });
  });

  it.each([
    ['{"level":30,"msg":"ready"}', 'info'],
    ['{"level":60,"msg":"over"}', 'error'],
  ])('of %s is %s', (line, level) => {
    expect(readLogLine(line)).toMatchObject({ level, time: '', fields: '' });
  });

  it.each(['{"level":30,"msg":"rea', 'null', '4711', '["a"]'])(
    'keeps %s, which is not a JSON object',
    (line) => {
      expect(readLogLine(line)).toEqual({ time: '', level: 'info', text: line, fields: '' });
    },
  );
});
