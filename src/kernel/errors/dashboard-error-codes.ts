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
  link_not_valid: entry(
    400,
    'Link not valid',
    false,
    'The link has expired, was used already, or is incomplete. Nothing was changed. Ask for a new link.',
  ),
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
  share_link_limit_reached: entry(
    409,
    'Share link limit reached',
    false,
    'An account can have at most 100 active share links. Revoke one and try again.',
  ),
  primary_owner: entry(
    409,
    'Primary owner',
    false,
    "The primary owner can't be removed, leave, or get another role. An organization always has this owner.",
  ),
  already_member: entry(409, 'Already a member', false, 'The user with this address is a member already.'),
  member_limit_reached: entry(
    409,
    'Member limit reached',
    false,
    'An organization can have 100 members besides its primary owner, and a user can work in 100 organizations.',
  ),
  organization_limit_reached: entry(
    409,
    'Organization limit reached',
    false,
    'A user can own 10 organizations. Delete one first.',
  ),
  owns_organizations: entry(
    409,
    'The user owns organizations',
    false,
    'Delete the organizations of which this user is the primary owner first.',
  ),
  invitation_pending: entry(
    409,
    'Invitation pending',
    false,
    'There is an open invitation for this address. Create a new link for it, or revoke it first.',
  ),
  invitation_limit_reached: entry(
    409,
    'Invitation limit reached',
    false,
    'The organization has 100 open invitations. Revoke some first.',
  ),
  invitation_for_other_user: entry(
    403,
    'Invitation for another user',
    false,
    'The invitation is for another email address. Sign in with that address, or sign up with it first.',
  ),
  invitation_used: entry(410, 'Invitation already used', false, 'This invitation has been accepted already.'),
  invitation_revoked: entry(
    410,
    'Invitation revoked',
    false,
    'This invitation was revoked, or replaced by a newer link. Ask for a new one.',
  ),
  invitation_expired: entry(
    410,
    'Invitation expired',
    false,
    'Invitations expire after 7 days. Ask for a new one.',
  ),
  read_only_session: entry(
    403,
    'Read-only session',
    false,
    'You are signed in as a customer, so nothing can be changed. End it in the banner first. Nothing was changed.',
  ),
  own_account: entry(
    409,
    'Your own account',
    false,
    "Operators can't suspend, delete or sign in as their own account. Ask another operator.",
  ),
  worker_gone: entry(
    409,
    'Worker is gone',
    false,
    'The worker has sent no heartbeat for 45 seconds, so it can do nothing. Its jobs return to the queue.',
  ),
  too_many_attempts: entry(
    429,
    'Too many attempts',
    true,
    'Too many sign-in attempts, sign-ups or dashboard requests. Retry after `Retry-After` seconds.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;
