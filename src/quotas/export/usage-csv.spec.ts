import { describe, expect, it } from 'vitest';
import { USAGE_CSV_HEADER, usageCsvLine } from './usage-csv.js';

describe('usageCsvLine', () => {
  it('has as many fields as the header', () => {
    const row = { day: '2026-11-25', keyId: 'key_1', keyName: 'Shop', operation: 'upscale', enhancements: 7 };
    expect(usageCsvLine(row)).toBe('2026-11-25,key_1,Shop,upscale,7\r\n');
    expect(USAGE_CSV_HEADER.split(',')).toHaveLength(usageCsvLine(row).split(',').length);
  });
});
