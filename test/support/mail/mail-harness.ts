import { type Harness, startHarness } from '../app/harness.js';

/** All requests of a spec come from one IP address. */
const AMPLE = {
  SIGN_UPS_PER_MINUTE: '1000',
  SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
  PASSWORD_RESETS_PER_MINUTE: '1000',
  DASHBOARD_REQUESTS_PER_MINUTE: '1000',
};

/** An application that writes emails, which then wait for a dispatcher. */
export function startMailHarness(): Promise<Harness> {
  return startHarness({ env: { SMTP_FROM: 'mail@images.example', ...AMPLE } });
}
