import { describe, expect, it } from 'vitest';
import { textTable } from './text-table.js';

describe('textTable', () => {
  it('aligns words left and numbers right', () => {
    const rows = [
      ['operation', 'ms', 'note'],
      ['upscale', '1234', 'a'],
      ['x', '5', ''],
      ['y', '–', 'none'],
    ];
    expect(textTable(rows)).toBe(
      ['operation    ms  note', 'upscale    1234  a', 'x             5', 'y             –  none'].join('\n'),
    );
  });
});
