import { describe, expect, it } from 'vitest';
import { csvRow } from './csv-row.js';

describe('csvRow', () => {
  it.each([
    [['a', 'b'], 'a,b'],
    [[null, '', 0, -1], ',,0,-1'],
    [['one, two', 'say "hi"', 'two\nlines'], '"one, two","say ""hi""","two\nlines"'],
    [['=1+1', '+1', '-1', '@SUM(A1)'], "'=1+1,'+1,'-1,'@SUM(A1)"],
    [['\tx', '\rx'], '\'\tx,"\'\rx"'],
    [['=HYPERLINK("http://x.test","a")'], '"\'=HYPERLINK(""http://x.test"",""a"")"'],
    [['a=1', 'ada@example.com'], 'a=1,ada@example.com'],
  ])('of %j', (cells, line) => {
    expect(csvRow(cells)).toBe(`${line}\r\n`);
  });
});
