import { expect } from 'vitest';
import { DashboardClient } from '../app/dashboard-client.js';
import type { Harness } from '../app/harness.js';
import { mailsTo } from '../mail/outbox.js';

export const NEW_PASSWORD = 'the moon was made of cheese';

/** Requests a link as the owner of the address, and uses it. */
export async function resetByMail(harness: Harness, email: string): Promise<void> {
  await new DashboardClient(harness).call('POST', '/password-resets', { json: { email } });
  const mails = (await mailsTo(harness, email)).filter(({ kind }) => kind === 'password_reset');
  const token = /reset-password#(\S+)/.exec(mails.at(-1)!.text)![1]!;
  const answer = await new DashboardClient(harness).call('POST', '/password-resets/complete', {
    json: { token, newPassword: NEW_PASSWORD },
  });
  expect(answer.status, answer.text).toBe(204);
}

/** How many of each can open the account. */
export const waysInto = async (harness: Harness, id: string): Promise<unknown> =>
  (
    await harness.rows(
      `SELECT (SELECT count(*) FROM passkeys WHERE account_id = $1)::int AS passkeys,
              (SELECT count(*) FROM two_factor_secrets WHERE account_id = $1)::int AS "twoFactor",
              (SELECT count(*) FROM recovery_codes WHERE account_id = $1)::int AS "recoveryCodes",
              (SELECT count(*) FROM oidc_identities WHERE account_id = $1)::int AS identities,
              (SELECT count(*) FROM sessions WHERE account_id = $1)::int AS sessions,
              (SELECT count(*) FROM known_devices WHERE user_id = $1)::int AS devices,
              (SELECT count(*) FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL)::int AS keys,
              (SELECT count(*) FROM memberships WHERE account_id = $1)::int AS members,
              (SELECT count(*) FROM invitations WHERE account_id = $1 AND revoked_at IS NULL)::int AS invitations`,
      [id],
    )
  )[0];

export const NOTHING = {
  passkeys: 0,
  twoFactor: 0,
  recoveryCodes: 0,
  identities: 0,
  sessions: 0,
  devices: 0,
  keys: 0,
  members: 0,
  invitations: 0,
};
