import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountAccess } from '../../../src/accounts/account-access.js';
import { Database } from '../../../src/infra/database/database.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { AuthenticatorApp } from '../../support/sign-in/authenticator-app.js';
import { addPasskey } from '../../support/sign-in/passkey-user.js';
import { SoftwareAuthenticator } from '../../support/sign-in/software-authenticator.js';
import { turnOnTwoFactor } from '../../support/sign-in/two-factor-user.js';

let harness: Harness;
beforeAll(async () => {
  // With email: the row of an email references the account.
  harness = await startMailHarness();
});
afterAll(() => harness.close());

/** Resolves once a statement waits for a lock that another transaction holds. */
const somebodyWaits = (): Promise<unknown> =>
  eventually('somebody to wait for a lock', async () => {
    const seen = await harness.rows(
      "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return { found: seen.length > 0 ? seen : undefined, seen };
  });

/** Deletes the account while `change` waits for it. @returns what the change led to */
async function deletedDuring<Result>(accountId: string, change: () => Promise<Result>): Promise<Result> {
  let changed: Promise<Result>;
  await harness.app.get(Database).transaction(async (tx) => {
    await tx.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
    changed = change();
    await somebodyWaits();
    await tx.query('DELETE FROM accounts WHERE id = $1', [accountId]);
  });
  return changed!;
}

const json = { password: PASSWORD };

describe('changing a sign-in method while the account is deleted', () => {
  it.each(['disable', 'recovery-codes'])('does not deadlock: %s', async (change) => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    await turnOnTwoFactor(harness, browser, id);
    const answer = await deletedDuring(id, () => browser.call('POST', `/two-factor/${change}`, { json }));
    expect(answer.body).toMatchObject({ status: 401, code: 'not_signed_in' });
  });

  it('does not deadlock: enable', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    const setup = await browser.call('POST', '/two-factor/setup', { json });
    const code = new AuthenticatorApp((setup.body as { secret: string }).secret).code();
    const answer = await deletedDuring(id, () =>
      browser.call('POST', '/two-factor/enable', { json: { code } }),
    );
    expect(answer.body).toMatchObject({ status: 401, code: 'not_signed_in' });
  });

  it('does not deadlock: reset by an operator', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    await turnOnTwoFactor(harness, browser, id);
    const isReset = await deletedDuring(id, () => harness.app.get(AccountAccess).resetTwoFactor(id));
    expect(isReset).toBe(false);
    expect(await harness.rows('SELECT 1 FROM account_notices WHERE account_id = $1', [id])).toEqual([]);
  });

  it('does not deadlock: removal of a passkey', async () => {
    const browser = new DashboardClient(harness);
    const { id } = await browser.newPerson();
    const added = await addPasskey(browser, new SoftwareAuthenticator());
    const [passkey] = (added.body as { data: { id: string }[] }).data;
    const answer = await deletedDuring(id, () => browser.call('DELETE', `/passkeys/${passkey!.id}`));
    expect(answer.body).toMatchObject({ status: 401, code: 'not_signed_in' });
  });
});
