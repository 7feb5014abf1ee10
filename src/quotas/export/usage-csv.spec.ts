import { describe, expect, it } from 'vitest';
import { csvField, USAGE_CSV_HEADER, usageCsvLine } from './usage-csv.js';

describe('csvField', () => {
  it.each([
    ['Shop', 'Shop'],
    ['Größe 日本', 'Größe 日本'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [' padded ', '" padded "'],
    ["it's", '"it\'s"'],
  ])('writes %j as %s', (text, field) => {
    expect(csvField(text)).toBe(field);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1+1',
    '\r=1+1',
    ' =1+1',
    '=HYPERLINK("http://x","y")',
    "=cmd|' /C calc'!A0",
    '\u00a0=1+1',
  ])('takes the formula out of %j', (text) => {
    const field = csvField(text);
    expect(field.startsWith(`"'`)).toBe(true);
    // What a reader of CSV gets back.
    expect(field.slice(1, -1).replaceAll('""', '"')).toBe(`'${text}`);
  });
});

describe('usageCsvLine', () => {
  it('has as many fields as the header', () => {
    const row = { day: '2026-11-25', keyId: 'key_1', keyName: 'Shop', operation: 'upscale', enhancements: 7 };
    expect(usageCsvLine(row)).toBe('2026-11-25,key_1,Shop,upscale,7\r\n');
    expect(USAGE_CSV_HEADER.split(',')).toHaveLength(usageCsvLine(row).split(',').length);
  });
});
