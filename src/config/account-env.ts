import { type Descriptor, integer, oneOf, text } from './descriptor.js';

/** The dashboard: who may sign up, how sign-ins are throttled, how long sessions last. */
export const ACCOUNT_DESCRIPTORS = {
  webDir: text('WEB_DIR', {
    default: undefined,
    defaultText: 'the dashboard built with the service',
    text: 'Folder of the built dashboard.',
  }),
  signUp: oneOf('SIGNUP', {
    values: ['open', 'closed'],
    default: 'open',
    text: 'Whether anybody who reaches the dashboard may make an account. `closed`: only `npm run admin -- account create` does.',
  }),
  signInAttemptsPerMinute: integer('SIGN_IN_ATTEMPTS_PER_MINUTE', {
    default: 10,
    min: 1,
    max: 100_000,
    text: 'Passwords one client address may try for one account a minute. For all accounts of one address, and for one account from all addresses, it is five times as many.',
  }),
  signUpsPerMinute: integer('SIGN_UPS_PER_MINUTE', {
    default: 5,
    min: 1,
    max: 100_000,
    text: 'Accounts one client address may ask for a minute.',
  }),
  sessionIdleSeconds: integer('SESSION_IDLE_SECONDS', {
    default: 7 * 86_400,
    min: 60,
    max: 366 * 86_400,
    text: 'A dashboard session that was not used for this long ends.',
  }),
  sessionMaxSeconds: integer('SESSION_MAX_SECONDS', {
    default: 30 * 86_400,
    min: 60,
    max: 366 * 86_400,
    text: 'Longest time a dashboard session lasts, used or not.',
  }),
  dashboardRequestsPerMinute: integer('DASHBOARD_REQUESTS_PER_MINUTE', {
    default: 1_200,
    min: 1,
    max: 1_000_000,
    text: 'Requests one account may send a minute with its dashboard sessions.',
  }),
} as const satisfies Record<string, Descriptor<unknown>>;
