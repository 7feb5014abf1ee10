import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { startMailHarness } from '../../support/mail/mail-harness.js';
import { mailsTo } from '../../support/mail/outbox.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startMailHarness();
});
afterAll(() => harness.close());

interface Listed {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly createdAt: string;
}

let subjects = 0;

/** A user with identities at a provider. */
async function linkedUser(count = 1) {
  const browser = new DashboardClient(harness);
  const person = await browser.newPerson();
  for (let identity = 0; identity < count; identity += 1)
    await harness.rows(
      `INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ('https://id.example', $1, $2)`,
      [`subject-${(subjects += 1)}`, person.id],
    );
  const { body } = await browser.call('GET', '/identities');
  return { ...person, browser, listed: (body as { data: Listed[] }).data };
}

const unlink = (browser: DashboardClient, id: string, password = PASSWORD) =>
  browser.call('POST', `/identities/${id}/unlink`, { json: { password } });

const recorded = (accountId: string) =>
  harness.rows(
    `SELECT target_id AS id, details FROM audit_events WHERE account_id = $1 AND action = 'identity.unlinked'`,
    [accountId],
  );

describe('identities at the provider', () => {
  it('are listed and can be unlinked with the password, and the user is notified', async () => {
    const { id, email, browser, listed } = await linkedUser(2);
    expect(listed).toHaveLength(2);
    expect(listed[0]).toEqual({
      id: expect.stringMatching(/^[\da-f]{32}$/) as string,
      issuer: 'https://id.example',
      subject: expect.stringMatching(/^subject-\d+$/) as string,
      createdAt: expect.stringMatching(/^20.*Z$/) as string,
    });
    const answer = await unlink(browser, listed[0]!.id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ data: [listed[1]] });
    expect(await recorded(id)).toEqual([{ id: listed[0]!.id, details: { issuer: 'https://id.example' } }]);
    const mails = (await mailsTo(harness, email)).filter(({ kind }) => kind === 'sign_in_changed');
    expect(mails.map(({ subject }) => subject)).toEqual(['A sign-in provider was unlinked']);
    expect((await browser.call('GET', '/keys')).status).toBe(200);
  });

  it('are kept when the password is wrong', async () => {
    const { id, browser, listed } = await linkedUser();
    const answer = await unlink(browser, listed[0]!.id, `not ${PASSWORD}`);
    expect(answer.body).toMatchObject({ status: 403, code: 'wrong_password' });
    expect((await browser.call('GET', '/identities')).body).toEqual({ data: listed });
    expect(await recorded(id)).toEqual([]);
  });

  it('are kept while the user has no password', async () => {
    const { id, browser, listed } = await linkedUser();
    await harness.rows('UPDATE accounts SET password_hash = NULL WHERE id = $1', [id]);
    const answer = await unlink(browser, listed[0]!.id);
    expect(answer.body).toMatchObject({ status: 409, code: 'only_sign_in' });
    expect((await browser.call('GET', '/identities')).body).toEqual({ data: listed });
  });

  it('of another user are not found', async () => {
    const [mine, theirs] = [await linkedUser(), await linkedUser()];
    expect((await unlink(mine.browser, theirs.listed[0]!.id)).status).toBe(404);
    expect((await theirs.browser.call('GET', '/identities')).body).toEqual({ data: theirs.listed });
    expect((await mine.browser.call('GET', '/identities')).body).toEqual({ data: mine.listed });
  });
});
