import { describe, expect, it } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes, normalizeRecoveryCode } from './recovery-codes.js';

describe('recovery codes', () => {
  it('are ten distinct codes that are easy to read', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[\da-hjkmnp-tv-z]{4}(?:-[\da-hjkmnp-tv-z]{4}){3}$/);
  });

  it('match regardless of case, separators, and look-alike characters', () => {
    const stored = hashRecoveryCode('acc_1', 'k3f9-0x2m-77qa-v1tz');
    for (const typed of ['K3F9-0X2M-77QA-V1TZ', 'k3f90x2m77qav1tz', ' k3f9 ox2m 77qa vltz '])
      expect(hashRecoveryCode('acc_1', typed), typed).toEqual(stored);
    expect(hashRecoveryCode('acc_2', 'k3f9-0x2m-77qa-v1tz')).not.toEqual(stored);
  });

  it.each(['', '123456', 'k3f9-0x2m-77qa-v1t', 'k3f9-0x2m-77qa-v1tzz', 'u3f9-0x2m-77qa-v1tz'])(
    'cannot be %j',
    (text) => {
      expect(normalizeRecoveryCode(text)).toBeUndefined();
    },
  );
});
