import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

/** An authenticator app, set up from the URI in the QR code or from a typed secret. */
export class AuthenticatorApp {
  private readonly totp: TOTP;

  constructor(readonly secret: string) {
    this.totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')), digits: 6, period: 30 });
  }

  /** @param steps how far the clock is ahead, in steps of 30 seconds */
  code(steps = 0): string {
    return this.totp.generate({ timestamp: Date.now() + steps * STEP_MS });
  }

  /** A code that the service accepts neither now nor soon. */
  wrongCode(): string {
    const near = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => this.code(steps)));
    let code = 0;
    while (near.has(String(code).padStart(6, '0'))) code += 1;
    return String(code).padStart(6, '0');
  }
}
