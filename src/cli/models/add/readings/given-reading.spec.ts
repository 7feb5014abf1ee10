import { describe, expect, it } from 'vitest';
import { givenReading, mergedReading } from './given-reading.js';

describe('givenReading', () => {
  it('reads the given options, and leaves the rest open', () => {
    expect(givenReading({})).toEqual({});
    const given = { range: '-1,1', channels: 'BGR', meaning: 'residual', outputRange: '0,255' } as const;
    expect(givenReading(given)).toEqual({
      range: [-1, 1],
      channels: 'BGR',
      meaning: 'residual',
      outputRange: [0, 255],
    });
  });

  it('treats mean and std as relative to the range 0 to 1, as they are published', () => {
    expect(givenReading({ mean: '0.485,0.456,0.406', std: '0.5' })).toEqual({
      range: [0, 1],
      mean: [0.485, 0.456, 0.406],
      std: [0.5],
    });
  });

  it.each([
    [{ range: '1' }, /--range must be two numbers, the lower first/],
    [{ range: '1,0' }, /--range/],
    [{ mean: '1,2' }, /--mean must be one number, or three/],
    [{ std: '0' }, /--std must be above 0/],
    [{ outputRange: 'a,b' }, /--output-range/],
  ])('refuses %j', (options, text) => {
    expect(() => givenReading(options)).toThrow(text);
  });
});

describe('mergedReading', () => {
  const known = { range: [0, 1], mean: [0.5], std: [0.5], channels: 'RGB', meaning: 'alpha' } as const;

  it('prefers options to the facts of a file', () => {
    expect(mergedReading(known, {}, 'float32')).toEqual(known);
    expect(mergedReading(known, { channels: 'BGR' }, 'float32')).toEqual({ ...known, channels: 'BGR' });
  });

  it.each([{ range: '0,255' }, { mean: '0.4' }, { std: '0.2' }])(
    'never mixes the normalization of a file with the options %j',
    (options) => {
      const given = givenReading(options);
      expect(mergedReading(known, given, 'float32')).toEqual({ channels: 'RGB', meaning: 'alpha', ...given });
    },
  );

  it('ignores the normalization of a file for a model that takes bytes', () => {
    expect(mergedReading(known, {}, 'uint8')).toEqual({ channels: 'RGB', meaning: 'alpha' });
  });
});
