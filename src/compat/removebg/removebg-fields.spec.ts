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
      { crop: 'true', crop_margin: '10%' },
      { format: 'png', background: null, crop: 'subject', padding: 0.1 },
    ],
    [
      { crop: true, crop_margin: '0px', add_shadow: true, bg_color: 'fff', format: 'png' },
      { format: 'png', background: '#ffffff', crop: 'subject', padding: 0, shadow: true },
    ],
    [
      { shadow_type: 'drop', shadow_opacity: '30' },
      { format: 'png', background: null, shadow: { opacity: 0.3 } },
    ],
    [
      { shadow_type: 'none', add_shadow: 'true' },
      { format: 'png', background: null },
    ],
    [{ bg_image_url: 'https://images.example/' }, { format: 'jpeg', background: '#ffffff' }],
    [{ channels: 'alpha' }, { format: 'png', background: null, kind: 'mask' }],
    [
      { channels: 'alpha', format: 'jpg', crop: '1' },
      { format: 'jpeg', background: null, kind: 'mask', crop: 'subject', padding: 0 },
    ],
    [
      { scale: 'original', position: 'Original', roi: '0% 0% 100% 100%' },
      { format: 'png', background: null },
    ],
    [
      { scale: undefined, roi: 'undefined', position: null, add_shadow: '' },
      { format: 'png', background: null },
    ],
  ])('%j', (fields, wanted) => {
    expect(output(fields)).toEqual(wanted);
  });

  it.each([
    [{ crop: 'perhaps' }, 'invalid_crop'],
    [{ crop: true, crop_margin: '30px' }, 'invalid_crop_margin'],
    [{ crop: true, crop_margin: '51%' }, 'invalid_crop_margin'],
    [{ crop: true, crop_margin: '10% 20%' }, 'invalid_crop_margin'],
    [{ channels: 'rgb' }, 'invalid_channels'],
    [{ channels: 'alpha', bg_color: 'fff' }, 'invalid_bg_color'],
    [{ shadow_type: 'car' }, 'invalid_shadow_type'],
    [{ shadow_opacity: '101' }, 'invalid_shadow_opacity'],
    [{ format: 'zip' }, 'invalid_format'],
    [{ format: 'toString' }, 'invalid_format'],
    [{ bg_color: '81d4fa77' }, 'invalid_bg_color'],
    [{ bg_image_url: 'https://images.example/', bg_color: 'fff' }, 'invalid_bg_image_url'],
    [{ bg_image_url: 'https://images.example/', channels: 'alpha' }, 'invalid_bg_image_url'],
    [{ add_shadow: 'very' }, 'invalid_add_shadow'],
    [{ sise: 'full' }, 'invalid_sise'],
    [{ constructor: '1' }, 'invalid_constructor'],
    [{ toString: '1' }, 'invalid_toString'],
    [{ bg_color: 'constructor' }, 'invalid_bg_color'],
    [{ scale: '100%' }, 'invalid_scale'],
    [{ scale: '80%' }, 'invalid_scale'],
    [{ position: 'center' }, 'invalid_position'],
    [{ roi: '10% 10% 90% 90%' }, 'invalid_roi'],
  ])('refuses %j', (fields, code) => {
    expect(() => output(fields)).toThrow(
      expect.objectContaining({ code: 'invalid_request', errors: [expect.objectContaining({ code })] }),
    );
  });
});
