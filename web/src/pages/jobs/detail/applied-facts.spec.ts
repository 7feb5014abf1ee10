import { describe, expect, it } from 'vitest';
import { appliedFacts } from './applied-facts.js';

const RESULT = { format: 'webp', width: 1, height: 1, bytes: 1, sha256: '', expiresAt: '' } as const;

describe('appliedFacts', () => {
  it('omits defaults', () => {
    expect(appliedFacts({ output: { format: 'png', quality: null, background: null } })).toEqual([]);
  });

  it('shows what was applied, or what was requested until then', () => {
    const output = {
      format: 'webp',
      quality: null,
      background: '#ffffff',
      crop: 'subject',
      padding: 0.05,
      shadow: { opacity: 0.4, blur: 0.025, offsetX: 0.01, offsetY: 0.025 },
      metadata: 'keep-no-gps',
    } as const;
    expect(appliedFacts({ output })).toEqual([
      ['Background', '#ffffff'],
      ['Crop', 'To the subject, 5% padding'],
      ['Shadow', '40% opacity'],
      ['Photo metadata', 'Kept without GPS coordinates'],
    ]);
    const applied = {
      kind: 'image',
      quality: 85,
      metadata: 'keep-no-gps',
      crop: { x: 1, y: 2, width: 1_480, height: 2_105 },
      confidence: 0.947,
    } as const;
    expect(appliedFacts({ output, result: { ...RESULT, applied } })).toEqual([
      ['Quality', '85'],
      ['Background', '#ffffff'],
      ['Crop', 'To the subject, 5% padding, 1,480 × 2,105'],
      ['Shadow', '40% opacity'],
      ['Photo metadata', 'Kept without GPS coordinates'],
      ['Cutout confidence', '95%'],
    ]);
  });
});
