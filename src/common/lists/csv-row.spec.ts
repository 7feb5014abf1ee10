import { describe, expect, it } from 'vitest';
import { csvRow } from './csv-row.js';

describe('csvRow', () => {
  it.each([
    [['a', 'b'], 'a,b'],
    [[null, '', 0, -1], ',,0,-1'],
    [['one, two', 'say "hi"', 'two\nlines'], '"one, two","say ""hi""","two\nlines"'],
    [['two\r\nlines', ' padded ', "it's"], '"two\r\nlines"," padded ","it\'s"'],
    [['a=1', 'ada@example.com', 'Größe 日本'], 'a=1,ada@example.com,Größe 日本'],
  ])('of %j', (cells, line) => {
    expect(csvRow(cells)).toBe(`${line}\r\n`);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\tx',
    '\rx',
    '\t=1+1',
    '\r=1+1',
    ' =1+1',
    '=HYPERLINK("http://x.test","a")',
    "=cmd|' /C calc'!A0",
    '\u00a0=1+1',
  ])('neutralizes the formula in %j', (text) => {
    const cell = csvRow([text]).slice(0, -2);
    expect(cell.startsWith(`"'`)).toBe(true);
    // What a CSV reader gets back.
    expect(cell.slice(1, -1).replaceAll('""', '"')).toBe(`'${text}`);
  });
});
