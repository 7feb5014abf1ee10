import { type Descriptor, integer, oneOf, text } from './descriptor.js';

/** The dashboard: who may sign up, limits for sign-ins, and the lifetime of sessions. */
export const ACCOUNT_DESCRIPTORS = {
  webDir: text('WEB_DIR', {
    default: undefined,
    defaultText: 'the dashboard built with the service',
    text: 'Folder of the built dashboard.',
  }),
  signUp: oneOf('SIGNUP', {
    values: ['open', 'closed'],
    default: 'open',
    text: 'Whether anyone who can reach the dashboard may create an account. With `closed`, only `npm run admin -- account create` can.',
  }),
  requireVerifiedEmail: oneOf('REQUIRE_VERIFIED_EMAIL', {
    values: ['on', 'off'],
    default: 'off',
    text: 'With `on`, users can read, but not create keys or start jobs in the dashboard, until they have confirmed their email address. Needs SMTP_FROM. See docs/accounts.md.',
  }),
  signInAttemptsPerMinute: integer('SIGN_IN_ATTEMPTS_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 100_000,
    text: 'Sign-in attempts per minute for one account from one client address. The limit is five times as high for all accounts from one address, and for one account from all addresses.',
  }),
  signUpsPerMinute: integer('SIGN_UPS_PER_MINUTE', {
    default: 5,
    min: 1,
    max: 100_000,
    text: 'Sign-ups per minute from one client address.',
  }),
  passwordResetsPerMinute: integer('PASSWORD_RESETS_PER_MINUTE', {
    default: 5,
    min: 1,
    max: 100_000,
    text: 'Requests per minute for a link to choose a new password, from one client address and for one account. In addition, an address gets at most five such emails an hour.',
  }),
  sessionIdleSeconds: integer('SESSION_IDLE_SECONDS', {
    default: 7 * 86_400,
    min: 60,
    max: 366 * 86_400,
    text: 'A dashboard session expires after this time without use.',
  }),
  sessionMaxSeconds: integer('SESSION_MAX_SECONDS', {
    default: 30 * 86_400,
    min: 60,
    max: 366 * 86_400,
    text: 'Maximum lifetime of a dashboard session, used or not.',
  }),
  dashboardRequestsPerMinute: integer('DASHBOARD_REQUESTS_PER_MINUTE', {
    default: 1_200,
    min: 1,
    max: 1_000_000,
    text: 'Dashboard requests per minute for one account.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
