import { describe, expect, it } from 'vitest';
import { outputSummary } from './output-text.js';

describe('outputSummary', () => {
  it('names what differs from the defaults', () => {
    expect(outputSummary({})).toBe('Defaults');
    expect(outputSummary({ format: 'webp', quality: 80, background: '#FFFFFF' })).toBe(
      'WebP 80, white background',
    );
    expect(outputSummary({ background: '#102030', crop: 'subject', shadow: true })).toBe(
      'background #102030, cropped, shadow',
    );
    expect(outputSummary({ background: { sourceUrl: 'https://…' }, shadow: false })).toBe('background image');
  });
});
