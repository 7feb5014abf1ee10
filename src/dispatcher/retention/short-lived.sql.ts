import type { Prepared } from '../../infra/database/database.js';

/** Maximum rows that one statement deletes. */
export const SHORT_LIVED_BATCH = 1_000;

/** Deletes one batch and counts it in the same statement. Skips rows locked by another dispatcher. */
function deletion(kind: string, table: string, old: string): Prepared {
  return {
    name: `retention_${kind}`,
    text: `
      WITH gone AS (
        DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM ${table} WHERE ${old} LIMIT ${SHORT_LIVED_BATCH} FOR UPDATE SKIP LOCKED))
        RETURNING 1),
      counted AS (
        INSERT INTO retention_counts AS c (kind, deleted, deleted_at)
        SELECT '${kind}', count(*), now() FROM gone HAVING count(*) > 0
        ON CONFLICT (kind) DO UPDATE SET deleted = c.deleted + excluded.deleted, deleted_at = now())
      SELECT count(*)::int AS deleted FROM gone`,
  };
}

/** `$1`: hours to keep a key. */
export const OLD_IDEMPOTENCY_KEYS = deletion(
  'idempotency_keys',
  'idempotency_keys',
  `created_at < now() - $1::int * interval '1 hour' ORDER BY created_at`,
);

/**
 * Deletes past minutes, and those that were written while the clock was ahead. There is one row for each key and
 * address of the last minutes.
 */
export const OLD_RATE_LIMITS = deletion(
  'rate_limits',
  'rate_limits',
  'window_index NOT BETWEEN floor(extract(epoch FROM now()) / 60) - 2 AND floor(extract(epoch FROM now()) / 60) + 1',
);

/** An idle session is refused at once, but its row stays until its maximum lifetime ends. */
export const OLD_SESSIONS = deletion('sessions', 'sessions', 'expires_at < now() ORDER BY expires_at');

/** An expired link is refused at once. */
export const OLD_IMPERSONATION_LINKS = deletion(
  'impersonation_links',
  'impersonation_links',
  'expires_at < now() ORDER BY expires_at',
);

/** Invitations are kept for a month after they expired, so that their links still explain why they do not work. */
export const OLD_INVITATIONS = deletion(
  'invitations',
  'invitations',
  `expires_at < now() - interval '30 days' ORDER BY expires_at`,
);

/** Deletes old plan requests. The audit log keeps a record of them for longer. */
export const OLD_PLAN_REQUESTS = deletion(
  'plan_requests',
  'plan_requests',
  `closed_at < now() - interval '1 year' ORDER BY closed_at`,
);

/** For a week, the page of an expired link says that it has expired. Afterward, the link is unknown. */
export const OLD_SHARE_LINKS = deletion(
  'share_links',
  'share_links',
  `expires_at < now() - interval '7 days' ORDER BY expires_at`,
);

/** Password resets expire after an hour. They are kept for another day, so that a request can be explained. */
export const OLD_PASSWORD_RESETS = deletion(
  'password_resets',
  'password_resets',
  `created_at < now() - interval '1 day' ORDER BY created_at`,
);

/** Keeps verifications for longer than their links are valid. */
export const OLD_EMAIL_VERIFICATIONS = deletion(
  'email_verifications',
  'email_verifications',
  `created_at < now() - interval '4 days' ORDER BY created_at`,
);

/** An expired link is refused at once. */
export const OLD_EMAIL_CHANGES = deletion(
  'email_changes',
  'email_changes',
  'expires_at < now() ORDER BY expires_at',
);

/** Limits of emails look back a day at most. */
export const OLD_MAIL_LIMITS = deletion(
  'mail_limits',
  'mail_limits',
  `updated_at < now() - interval '1 day' ORDER BY updated_at`,
);

/** The notice of a month's quota must not be written again, so it is kept for longer than a month. */
export const OLD_NOTICES = deletion(
  'account_notices',
  'account_notices',
  `created_at < now() - interval '62 days' ORDER BY created_at`,
);

/** `$1`: days to keep. A pending email is deleted once it has been due for that long. */
export const OLD_MAILS = deletion(
  'mails',
  'mails',
  `created_at < now() - $1::int * interval '1 day'
   AND (status <> 'pending' OR due_at < now() - $1::int * interval '1 day') ORDER BY created_at`,
);

/** Sign-ins whose second factor was not entered in time. */
export const OLD_PENDING_SIGN_INS = deletion(
  'pending_sign_ins',
  'pending_sign_ins',
  'expires_at < now() ORDER BY expires_at',
);

/** Challenges that no passkey answered in time. */
export const OLD_PASSKEY_CHALLENGES = deletion(
  'passkey_challenges',
  'passkey_challenges',
  'expires_at < now() ORDER BY expires_at',
);

/** Sign-ins that did not return from the OpenID provider in time. */
export const OLD_OIDC_REQUESTS = deletion(
  'oidc_requests',
  'oidc_requests',
  'expires_at < now() ORDER BY expires_at',
);

/** Identities whose user did not confirm the account in time. */
export const OLD_OIDC_LINKS = deletion('oidc_links', 'oidc_links', 'expires_at < now() ORDER BY expires_at');

/** Deletes comparisons with their images. */
export const OLD_COMPARISONS = deletion(
  'version_comparisons',
  'version_comparisons',
  `created_at < now() - interval '1 day' ORDER BY created_at`,
);

/** `$1`: days to keep. */
export const OLD_ENHANCEMENT_DAYS = deletion(
  'enhancement_days',
  'enhancement_days',
  'day < current_date - $1::int ORDER BY day',
);

/** `$1`: days to keep. */
export const OLD_OPERATION_DAYS = deletion(
  'operation_days',
  'operation_days',
  'day < current_date - $1::int ORDER BY day',
);

/** `$1`: days to keep. */
export const OLD_STORAGE_DAYS = deletion(
  'storage_days',
  'storage_days',
  'day < current_date - $1::int ORDER BY day',
);
