import { describe, expect, it } from 'vitest';
import { rembgOutput } from './rembg-parameters.js';

const output = (parameters: Record<string, string>): unknown => rembgOutput(Object.entries(parameters));

describe('rembgOutput', () => {
  it.each([
    [{}, null],
    [
      { model: 'u2net', a: 'true', af: '240', ab: '10', ae: '10', ppm: 'true', om: 'false', extras: '' },
      null,
    ],
    [{ bgc: '255,255,255,255' }, '#ffffff'],
    [{ bgc: '0,0,0,0' }, null],
  ])('%j', (parameters, background) => {
    expect(output(parameters as Record<string, string>)).toEqual({ format: 'png', background });
  });

  it('requests only the mask, which has no background', () => {
    expect(output({ om: 'true', bgc: '255,0,0,255' })).toEqual({ format: 'png', kind: 'mask' });
  });

  it.each([
    [{ om: 'perhaps' }, 'om'],
    [{ bgc: 'red' }, 'bgc'],
    [{ bgc: '1,2,3,128' }, 'bgc'],
    [{ extras: '{"x": 1}' }, 'extras'],
    [{ api_key: 'ies_x' }, 'api_key'],
  ])('refuses %j', (parameters, field) => {
    expect(() => output(parameters as Record<string, string>)).toThrow(
      expect.objectContaining({ code: 'invalid_request', errors: [expect.objectContaining({ field })] }),
    );
  });
});
