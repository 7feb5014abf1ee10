import { describe, expect, it } from 'vitest';
import { resultName } from './result-name.js';

describe('resultName', () => {
  it.each([
    ['portrait.png', 'upscale', 'jpeg', 'portrait-upscaled.jpg'],
    ['Zoë am Strand.jpeg', 'bg_remove', 'png', 'Zoë am Strand-no-background.png'],
    ['holiday.2026.webp', 'auto_enhance', 'webp', 'holiday.2026-enhanced.webp'],
    ['no extension', 'smooth_skin', 'avif', 'no extension-smoothed.avif'],
    ['.jpg', 'old_operation', 'png', 'photo-old-operation.png'],
    [null, 'upscale', 'png', 'photo-upscaled.png'],
  ] as const)('%s, %s to %s is saved as %s', (name, operation, format, expected) => {
    expect(resultName(name, [operation], format)).toBe(expected);
  });

  it('names each operation of a chain once, unless the list is too long', () => {
    const chain = ['smooth_skin', 'upscale', 'upscale'];
    expect(resultName('portrait.png', chain, 'jpeg')).toBe('portrait-smoothed-upscaled.jpg');
    const own = ['a', 'b'].map((letter) => letter.repeat(40));
    expect(resultName('portrait.png', own, 'jpeg')).toBe('portrait-enhanced.jpg');
  });

  it('stays within the length limit of file systems', () => {
    const name = resultName(`${'漢'.repeat(250)}.jpg`, ['bg_remove'], 'png');
    expect(Buffer.byteLength(name)).toBeLessThan(255);
    expect(name).toBe(`${'漢'.repeat(60)}-no-background.png`);
  });
});
