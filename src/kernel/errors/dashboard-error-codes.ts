import { entry, type ErrorCodeEntry } from './error-code-entry.js';

/** Errors that only dashboard routes return. Part of the table of all errors. */
export const DASHBOARD_ERROR_CODES = {
  not_signed_in: entry(
    401,
    'Not signed in',
    false,
    'The dashboard session is missing or has expired. Sign in. The dashboard does not accept API keys.',
  ),
  invalid_credentials: entry(401, 'Incorrect email or password', false, 'Incorrect email or password.'),
  insufficient_role: entry(
    403,
    'Insufficient role',
    false,
    'Your role in this organization does not allow this. `detail` names the permission. Ask an owner or admin.',
  ),
  csrf_refused: entry(
    403,
    'Cross-site request refused',
    false,
    "The `X-CSRF-Token` header is missing or doesn't match the session, or another site sent the request. Reload the page.",
  ),
  sign_up_closed: entry(
    403,
    'Sign-up is closed',
    false,
    'Sign-up is disabled. Ask the operator of this service for an account.',
  ),
  wrong_password: entry(403, 'Incorrect password', false, 'The password is incorrect. Nothing was changed.'),
  key_limit_reached: entry(
    403,
    'API key limit reached',
    false,
    'The account has reached the number of active API keys that its plan allows. Revoke one, or upgrade. See `limit`, `used` and `upgrade`.',
  ),
  primary_owner: entry(
    409,
    'Primary owner',
    false,
    "The primary owner can't be removed, leave, or get another role. An organization always has this owner.",
  ),
  too_many_attempts: entry(
    429,
    'Too many attempts',
    true,
    'Too many sign-in attempts, sign-ups or dashboard requests. Retry after `Retry-After` seconds.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
