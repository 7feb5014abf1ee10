import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { OpenIdIdentity } from '../../infra/openid/openid-provider.js';
import { discardMails } from '../../mail/discard-mails.js';
import { type RemovedAccess, recordRemovedAccess } from './removed-access.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/**
 * The organizations that the user has created. Changes of members, invitations and keys take these locks, too, and then
 * require that their session and role still exist (`currentRole`).
 */
const LOCK_ORGANIZATIONS: Prepared = {
  name: 'prior_access_lock',
  text: 'SELECT id FROM accounts WHERE owner_id = $1 ORDER BY id FOR NO KEY UPDATE',
};

/** Whether the account is the user's own, or one that the user has created. */
const isHeld = (accountId: string): string =>
  `${accountId} = ANY (ARRAY(SELECT $1::text UNION ALL SELECT id FROM accounts WHERE owner_id = $1))`;

/** Operators vouch for what they have created. */
const isByOperator = (accountId: string, targetId: string): string => `EXISTS (
  SELECT FROM audit_events e WHERE e.account_id = ${accountId} AND e.action IN ('key.created', 'member.added')
     AND e.actor_kind IN ('operator', 'system') AND e.target_id = ${targetId})`;

/** The rows of a part of the statement, as an array of objects. */
const allOf = (part: string): string =>
  `(SELECT coalesce(json_agg(p ORDER BY p."accountId"), '[]') FROM ${part} p) AS ${part}`;

/** $2: id of a passkey, $3: whether the second factor, $4 and $5: an identity, $6: hash of a session, to keep. */
const REMOVE: Prepared = {
  name: 'prior_access_remove',
  text: `
    WITH passkeys AS (
           DELETE FROM passkeys WHERE account_id = $1
              AND left(encode(sha256(convert_to(credential_id, 'UTF8')), 'hex'), 32) IS DISTINCT FROM $2 RETURNING 1),
         factors AS (
           DELETE FROM two_factor_secrets WHERE account_id = $1 AND NOT $3::boolean RETURNING enabled_at),
         identities AS (
           DELETE FROM oidc_identities WHERE account_id = $1
              AND (issuer, subject) IS DISTINCT FROM ($4::text, $5::text) RETURNING 1),
         sessions AS (
           DELETE FROM sessions WHERE account_id = $1 AND token_hash IS DISTINCT FROM $6::bytea RETURNING 1),
         devices AS (DELETE FROM known_devices WHERE user_id = $1),
         keys AS (
           UPDATE api_keys k SET revoked_at = now()
            WHERE ${isHeld('account_id')} AND revoked_at IS NULL AND NOT ${isByOperator('k.account_id', 'k.id')}
           RETURNING account_id AS "accountId", id, name),
         members AS (
           DELETE FROM memberships m
            WHERE ${isHeld('account_id')} AND user_id <> $1 AND NOT ${isByOperator('m.account_id', 'm.user_id')}
           RETURNING account_id AS "accountId", user_id AS "userId", role, pg_notify('session_ended', user_id)),
         invitations AS (
           UPDATE invitations SET revoked_at = now()
            WHERE ${isHeld('account_id')} AND revoked_at IS NULL AND accepted_at IS NULL
           RETURNING account_id AS "accountId", id, email, role, mail_id AS "mailId")
    SELECT (SELECT count(*)::int FROM passkeys) AS passkeys,
           (SELECT count(*)::int FROM factors WHERE enabled_at IS NOT NULL) AS "twoFactor",
           (SELECT count(*)::int FROM identities) AS identities,
           (SELECT count(*)::int FROM sessions) AS sessions,
           ${allOf('keys')}, ${allOf('members')}, ${allOf('invitations')}`,
};

/** What the person who verifies the address has proven to have, and keeps. */
export interface ProvenAccess {
  readonly passkeyId?: string | undefined;
  readonly hasSecondFactor?: boolean | undefined;
  readonly identity?: Pick<OpenIdIdentity, 'issuer' | 'subject'>;
  readonly sessionToken?: string;
}

/**
 * Removes earlier access to an account whose address was just verified for the first time, and to the organizations that
 * it has created: a stranger may have signed up with the address and waited for its owner. The account is locked.
 * @returns whether there was anything besides sessions, which its owner is to be told
 */
export async function removePriorAccess(
  tx: Queryable,
  accountId: string,
  { passkeyId, hasSecondFactor = false, identity, sessionToken }: ProvenAccess = {},
): Promise<boolean> {
  await tx.query(LOCK_ORGANIZATIONS, [accountId]);
  const [row] = await tx.query<RemovedAccess>(REMOVE, [
    accountId,
    passkeyId ?? null,
    hasSecondFactor,
    identity?.issuer ?? null,
    identity?.subject ?? null,
    sessionToken === undefined ? null : hashSecretToken(sessionToken),
  ]);
  const { passkeys, twoFactor, identities, keys, members, invitations } = row!;
  await discardMails(
    tx,
    invitations.map(({ mailId }) => mailId),
  );
  await recordRemovedAccess(tx, accountId, row!);
  return passkeys + twoFactor + identities + keys.length + members.length + invitations.length > 0;
}
