import { describe, expect, it } from 'vitest';
import { givenFields, outputOf } from './removebg-fields.js';

const output = (fields: Record<string, unknown>): unknown => outputOf(givenFields(Object.entries(fields)));

describe('outputOf', () => {
  it.each([
    [{}, { format: 'png', background: null }],
    [
      { size: 'preview', type: 'auto', crop: false, channels: 'rgba' },
      { format: 'png', background: null },
    ],
    [{ bg_color: '81d4fa' }, { format: 'jpeg', background: '#81d4fa' }],
    [
      { bg_color: '81d4fa', format: 'png' },
      { format: 'png', background: '#81d4fa' },
    ],
    [{ bg_color: '00000000' }, { format: 'png', background: null }],
    [{ format: 'jpg' }, { format: 'jpeg', background: '#ffffff' }],
    [{ format: 'WEBP' }, { format: 'webp', background: null }],
    [
      { scale: undefined, roi: 'undefined', position: null, add_shadow: '' },
      { format: 'png', background: null },
    ],
  ])('%j', (fields, wanted) => {
    expect(output(fields)).toEqual(wanted);
  });

  it.each([
    [{ crop: true }, 'invalid_crop'],
    [{ channels: 'alpha' }, 'invalid_channels'],
    [{ format: 'zip' }, 'invalid_format'],
    [{ format: 'toString' }, 'invalid_format'],
    [{ bg_color: '81d4fa77' }, 'invalid_bg_color'],
    [{ bg_image_url: 'https://images.example/' }, 'invalid_bg_image_url'],
    [{ add_shadow: 'true' }, 'invalid_add_shadow'],
    [{ sise: 'full' }, 'invalid_sise'],
  ])('refuses %j', (fields, code) => {
    expect(() => output(fields)).toThrow(
      expect.objectContaining({ code: 'invalid_request', errors: [expect.objectContaining({ code })] }),
    );
  });
});
