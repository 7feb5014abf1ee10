import { describe, expect, it } from 'vitest';
import { newTotpSecret, totpStep, totpUri } from './totp.js';

/** "12345678901234567890" of RFC 6238, appendix B. Its codes there have eight digits; these are the last six. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('totpStep', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('accepts the code of RFC 6238 at %d seconds', (seconds, code, step) => {
    expect(totpStep(SECRET, code, seconds * 1_000)).toBe(step);
  });

  it('accepts a clock that is off by one step, and no more', () => {
    const stepOf = (seconds: number) => totpStep(SECRET, '005924', (1_234_567_890 + seconds) * 1_000);
    expect([-60, -30, 0, 29, 59, 60].map(stepOf)).toEqual([
      undefined,
      41_152_263,
      41_152_263,
      41_152_263,
      41_152_263,
      undefined,
    ]);
  });

  it.each(['', '5924', '0005924', '00592x', ' 005924'])('refuses %j', (code) => {
    expect(totpStep(SECRET, code, 1_234_567_890_000)).toBeUndefined();
  });
});

describe('a new secret', () => {
  it('has 160 random bits, and a URI for authenticator apps', () => {
    const secret = newTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(secret);
    expect(totpUri(secret, { issuer: 'Image Enhancement', label: 'me+1@example.org' })).toBe(
      `otpauth://totp/Image%20Enhancement:me%2B1%40example.org?issuer=Image%20Enhancement&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});
