import { Secret, TOTP } from 'otpauth';

/** The defaults of RFC 6238, which every authenticator app supports. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Time steps by which a clock may be behind or ahead. */
const CLOCK_SKEW_STEPS = 1;
/** As long as the output of SHA-1 (RFC 4226, section 4). */
const SECRET_BYTES = 20;

/** A new random secret, base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that an authenticator app reads from a QR code. */
export function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): string {
  return new TOTP({ ...SETTINGS, issuer, label, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * Checks a code in constant time.
 * @returns the code's time step, in units of 30 seconds since 1970; undefined for a wrong code
 */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ ...SETTINGS, secret: Secret.fromBase32(secret) });
  const delta = totp.validate({ token: code, timestamp: nowMs, window: CLOCK_SKEW_STEPS });
  return delta === null ? undefined : Math.floor(nowMs / (SETTINGS.period * 1_000)) + delta;
}
