import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import { OverdueJobsRepository } from '../../../src/jobs/queue/overdue-jobs.repository.js';
import { OverdueJobs } from '../../../src/jobs/queue/overdue-jobs.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { Database } from '../../../src/infra/database/database.js';
import type { ConsoleAccountDetailDto } from '../../../src/operator/accounts/console-account.dto.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';

let harness: Harness;
let operator: OperatorClient;
/** Needs its own database: it cancels due jobs of all accounts, as the dispatcher does. */
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_IN_ATTEMPTS_PER_MINUTE: '1000' } });
  operator = await OperatorClient.start(harness);
});
afterAll(() => harness.close());

const sweep = (): Promise<void> =>
  new OverdueJobs(
    new OverdueJobsRepository(harness.app.get(Database)),
    harness.app.get(JobCompletion),
  ).cancel();

const suspend = (account: Pick<TestAccount, 'id'>, reason = 'Unpaid invoice.') =>
  operator.expect<ConsoleAccountDetailDto>(200, 'POST', `/accounts/${account.id}/suspend`, { reason });
const resume = (account: Pick<TestAccount, 'id'>) =>
  operator.expect<ConsoleAccountDetailDto>(200, 'POST', `/accounts/${account.id}/resume`);

describe('a suspended account', () => {
  it('gets 403 with the reason on every route, with live and test keys, until it is resumed', async () => {
    const account = await harness.createAccount();
    const { key: testKey } = await harness.createKey(account, { livemode: false });
    // Sequential, because an account may have only ten uploads in progress.
    const paths: string[] = [];
    for (const route of KEY_ROUTES) paths.push(await pathFor(route, harness, account));
    expect(await suspend(account)).toMatchObject({
      status: 'suspended',
      suspension: { reason: 'Unpaid invoice.', at: expect.stringMatching(/Z$/) as string },
    });
    const before = await harness.footprint();
    for (const [index, { method }] of KEY_ROUTES.entries())
      for (const key of [account.key, testKey]) {
        const { status, body } = await harness.call(method, paths[index]!, { key });
        expect(status, `${method} ${paths[index]}`).toBe(403);
        expect(body).toMatchObject({
          code: 'account_suspended',
          detail: 'This account is suspended: Unpaid invoice. Contact the operator of this service.',
        });
      }
    expect(await harness.footprint()).toEqual(before);
    expect((await harness.call('GET', '/operator/api/accounts?status=suspended', {})).status).toBe(401);
    const { data } = await operator.get<{ data: { id: string }[] }>('/accounts?status=suspended');
    expect(data.map(({ id }) => id)).toEqual([account.id]);
    expect(await resume(account)).toMatchObject({ status: 'active', suspension: null });
    expect((await harness.call('GET', '/api/usage', { key: account.key })).status).toBe(200);
    expect((await harness.call('GET', '/api/usage', { key: testKey })).status).toBe(200);
  });

  it('loses its sessions and cannot sign in; only the right password reveals the reason', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    const { email } = await browser.signInto(account);
    await suspend(account, 'Abuse');
    expect((await browser.call('GET', '/keys')).status).toBe(401);
    const signIn = (password: string) =>
      new DashboardClient(harness).call('POST', '/sign-in', { json: { email, password } });
    expect((await signIn('wrong cow under the moon')).body).toMatchObject({ code: 'invalid_credentials' });
    const refused = await signIn(PASSWORD);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({
      code: 'account_suspended',
      detail: 'This account is suspended: Abuse. Contact the operator of this service.',
    });
    expect(await harness.rows('SELECT 1 FROM sessions WHERE account_id = $1', [account.id])).toEqual([]);
    await resume(account);
    expect((await signIn(PASSWORD)).status).toBe(200);
  });

  it('sends its members back to their own accounts, and does not let them return', async () => {
    const account = await harness.createAccount();
    const member = new DashboardClient(harness);
    const { id } = await member.signInto(await harness.createAccount());
    await harness.rows(`INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, 'admin')`, [
      account.id,
      id,
    ]);
    const current = async () =>
      ((await member.call('GET', '/session')).body as { account: { id: string } }).account.id;
    expect((await member.call('POST', `/organizations/${account.id}/switch`)).status).toBe(200);
    expect(await current()).toBe(account.id);
    await suspend(account);
    expect(await current()).toBe(id);
    const { body } = await member.call('GET', '/organizations');
    expect(body).toMatchObject({
      data: [
        { id, isSuspended: false, isCurrent: true },
        { id: account.id, isSuspended: true },
      ],
    });
    expect(await member.call('POST', `/organizations/${account.id}/switch`)).toMatchObject({
      status: 403,
      body: {
        code: 'account_suspended',
        detail: 'This account is suspended: Unpaid invoice. Contact the operator of this service.',
      },
    });
    const stranger = new DashboardClient(harness);
    await stranger.signInto(await harness.createAccount());
    expect((await stranger.call('POST', `/organizations/${account.id}/switch`)).status).toBe(404);
    await resume(account);
    expect((await member.call('POST', `/organizations/${account.id}/switch`)).status).toBe(200);
  });

  it('says that its owner needs the operator to delete it', async () => {
    const owner = new DashboardClient(harness);
    const user = await owner.signInto(await harness.createAccount());
    const made = await owner.call('POST', '/organizations', { json: { name: 'Shop' } });
    const { id } = (made.body as { account: { id: string } }).account;
    await suspend({ id });
    await owner.call('GET', '/session');
    const json = { confirmation: user.email, password: PASSWORD };
    expect(await owner.call('POST', '/account/delete', { json })).toMatchObject({
      status: 409,
      body: {
        code: 'owns_organizations',
        detail: expect.stringContaining(
          `Shop (${id}, suspended). Delete these organizations first. Only the operator of this service can resume`,
        ) as string,
      },
    });
  });

  it('has its waiting jobs canceled without charge; running jobs finish as usual', async () => {
    const account = await harness.createAccount();
    const [waiting, running] = [await harness.newJob(account), await harness.newJob(account)];
    const lease = await harness.jobs.claim(running.id);
    await suspend(account);
    await sweep();
    expect(await harness.jobs.completeLease(lease, Buffer.from('pixels'))).toBe(true);
    const rows = await harness.rows(
      'SELECT status, error_code AS code, error_message AS message FROM jobs WHERE account_id = $1 ORDER BY id',
      [account.id],
    );
    expect(rows).toEqual([
      {
        status: 'failed',
        code: 'canceled',
        message: 'The account was suspended while the job waited. The job was not charged.',
      },
      { status: 'completed', code: null, message: null },
    ]);
    expect(await operator.get(`/accounts/${account.id}`)).toMatchObject({ enhancementsUsed: 1 });
    await resume(account);
    const later = await harness.newJob(account);
    await sweep();
    const [row] = await harness.rows<{ status: string }>('SELECT status FROM jobs WHERE id = $1', [later.id]);
    expect(row!.status).toBe('queued');
    expect(waiting.id).not.toBe(later.id);
  });

  it('names the suspension as the reason, also after it ended, and `cancelAfter` for other jobs', async () => {
    const account = await harness.createAccount();
    const [waiting, late] = [
      await harness.newJob(account),
      await harness.newJob(account, { cancelAfter: '30s' }),
    ];
    await harness.jobs.claim(late.id);
    await suspend(account);
    await harness.rows(`UPDATE jobs SET cancel_at = now() WHERE id = $1`, [late.id]);
    await sweep();
    const own = await harness.createAccount();
    const resumed = await harness.newJob(own);
    await suspend(own);
    await resume(own);
    await sweep();
    const messageOf = async (id: string) =>
      (
        await harness.rows<{ message: string }>('SELECT error_message AS message FROM jobs WHERE id = $1', [
          id,
        ])
      )[0]!.message;
    expect(await messageOf(waiting.id)).toContain('The account was suspended');
    expect(await messageOf(late.id)).toContain('`cancelAfter`');
    expect(await messageOf(resumed.id)).toContain('The account was suspended');
  });

  it('is suspended and recorded once when ten requests arrive at the same time', async () => {
    const account = await harness.createAccount();
    await Promise.all(Array.from({ length: 10 }, () => suspend(account, 'Spam')));
    await suspend(account, 'Fraud');
    await Promise.all(Array.from({ length: 10 }, () => resume(account)));
    expect(await operator.audited(account.id)).toEqual([
      { action: 'account.suspended', details: { reason: 'Spam' } },
      { action: 'account.suspended', details: { reason: 'Fraud' } },
      { action: 'account.resumed', details: {} },
    ]);
    expect(
      await harness.rows('SELECT 1 FROM accounts WHERE id = $1 AND suspended_at IS NOT NULL', [
        testAccountOf(account.id),
      ]),
    ).toEqual([]);
  });
});
