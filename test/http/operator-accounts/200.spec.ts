import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantOperator } from '../../../src/cli/operator/operator-commands.js';
import type { Config } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { Database } from '../../../src/infra/database/database.js';
import { newId } from '../../../src/kernel/ids.js';
import type {
  ConsoleAccountDetailDto,
  ConsoleAccountListDto,
} from '../../../src/operator/accounts/console-account.dto.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let operator: OperatorClient;
let account: TestAccount;
/** A marker that only addresses in this file contain. */
const mark = newId('account').slice(-10);

beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const list = (query: string): Promise<ConsoleAccountListDto> => operator.get(`/accounts?${query}`);

/** The accounts of all pages. */
async function walkRows(query: string): Promise<ConsoleAccountListDto['data']> {
  const rows: ConsoleAccountListDto['data'][number][] = [];
  for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
    const page: ConsoleAccountListDto = await list(`${query}${cursor === null ? '' : `&cursor=${cursor}`}`);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    rows.push(...page.data);
    cursor = page.nextCursor;
  }
  return rows;
}

const walk = async (query: string): Promise<string[]> => (await walkRows(query)).map(({ email }) => email);

async function create(email: string): Promise<string> {
  return (await harness.accountsOf.create(email, 'free', null)).account.id;
}

describe('GET /operator/api/accounts', () => {
  it('finds accounts by the start of the address, then by the start of the domain, page by page', async () => {
    const names = [`${mark}b@one.example`, `${mark}A@two.example`, `x@${mark}.example`, `a@${mark}.example`];
    for (const name of [...names, `c.${mark}@three.example`]) await create(name);
    const wanted = [`${mark}A@two.example`, `${mark}b@one.example`];
    expect(await walk(`search=${mark}&limit=100`)).toEqual([...wanted, ...names.slice(2)]);
    for (const limit of [1, 2, 3])
      expect(await walk(`search=${mark.toUpperCase()}&limit=${limit}`)).toEqual([
        ...wanted,
        ...names.slice(2),
      ]);
    expect(await walk(`search=%40${mark}&limit=1`)).toEqual(names.slice(2));
    expect(await walk(`search=${mark}&plan=business`)).toEqual([]);
    expect(await walk(`search=no-${mark}`)).toEqual([]);
    expect(await walk(`search=${encodeURIComponent("%_\\'")}`)).toEqual([]);
  });

  it('finds every account of a domain after an @, also if its address starts with the same text', async () => {
    const own = `own${mark}`;
    const addresses = [`${own}@${own}.example`, `ada@${own}.example`];
    for (const address of addresses) await create(address);
    for (const limit of [1, 100]) expect(await walk(`search=%40${own}&limit=${limit}`)).toEqual(addresses);
    expect(await walk(`search=${own}&limit=1`)).toEqual(addresses);
  });

  it('finds addresses that start like an ID', async () => {
    const addresses = ['payable', 'receivable'].map((name) => `acc_${name}@${mark}.example`);
    const ids = [];
    for (const address of addresses) ids.push(await create(address));
    expect(await walk(`search=acc_payable@${mark}`)).toEqual([addresses[0]]);
    expect(await walk(`search=${ids[0]}`)).toEqual([addresses[0]]);
    const all = await walkRows('search=acc_&limit=100');
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  it('finds the account by its ID and by the IDs of what it owns', async () => {
    const source = await harness.newSource(account);
    const job = await harness.newJob(account, { sourceUrl: source.url });
    const endpoint = await harness.newEndpoint(account);
    const { id: testKey } = await harness.createKey(account, { livemode: false });
    for (const id of [account.id, source.id, job.id, endpoint.id, account.keyId, testKey]) {
      const { data } = await list(`search=${id}`);
      expect(
        data.map((one) => one.id),
        id,
      ).toEqual([account.id]);
    }
    expect((await list(`search=${newId('job')}`)).data).toEqual([]);
  });

  it('lists the newest accounts first, without test mode, with plan, usage, and last activity', async () => {
    const used = await harness.createAccount({ plan: 'personal' });
    await harness.createKey(used, { livemode: false });
    await harness.newJob(used);
    const idle = await create(`idle-${mark}@example.org`);
    // Other specs may have created accounts with higher IDs.
    const data = await walkRows('limit=100');
    expect(data.map(({ id }) => id)).toEqual(
      data
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(data.filter(({ id }) => id.startsWith('test_'))).toEqual([]);
    const [one, other] = [used.id, idle].map((id) => data.find((row) => row.id === id)!);
    expect(one).toMatchObject({
      plan: 'personal',
      status: 'active',
      operator: false,
      enhancementsUsed: 1,
      limits: { enhancements: 2_000 },
    });
    expect(one!.storageUsedBytes).toBeGreaterThan(0);
    expect(Date.now() - Date.parse(one!.lastActiveAt!)).toBeLessThan(120_000);
    expect(other).toMatchObject({ plan: 'free', lastActiveAt: null, enhancementsUsed: 0 });
    const ofPlan = await walkRows('plan=personal&limit=100');
    expect(ofPlan.map(({ id }) => id)).toContain(used.id);
    expect(new Set(ofPlan.map(({ plan }) => plan))).toEqual(new Set(['personal']));
  });

  it('shows whether an address is verified, and only such an account becomes an operator', async () => {
    const email = `verified-${mark}@example.org`;
    const id = await create(email);
    const isVerified = async () => {
      const [{ data }, shown] = [await list(`search=${email}`), await operator.get(`/accounts/${id}`)];
      expect(shown).toMatchObject({ isEmailVerified: data[0]!.isEmailVerified });
      return data[0]!.isEmailVerified;
    };
    const database = harness.app.get(Database);
    const mailOn = {
      ...harness.app.get<Config>(CONFIG),
      smtpFrom: { name: '', address: 'mail@images.example' },
    };
    const context = { accounts: harness.accountsOf, database, databaseUrl: '' };
    const grant = (config: Config, options = {}) => grantOperator(email, options)({ ...context, config });
    expect(await isVerified()).toBe(false);
    await expect(grant(mailOn)).rejects.toThrow(`${email} is not verified`);
    expect(await grant(mailOn, { unverified: true })).toMatchObject({ operator: true });
    expect(await grant({ ...mailOn, smtpFrom: undefined })).toMatchObject({ operator: true });
    await harness.rows('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [id]);
    expect(await isVerified()).toBe(true);
    expect(await grant(mailOn)).toMatchObject({ operator: true });
  });

  it('reads index ranges, with and without filters', async () => {
    const plans = await harness.app.get(Database).transaction(async (tx) => {
      // The tables of the tests are so small that PostgreSQL would rather sort.
      for (const plan of ['seqscan', 'bitmapscan']) await tx.query(`SET LOCAL enable_${plan} = off`);
      const explain = async (where: string, order: string) =>
        JSON.stringify(
          await tx.query(`EXPLAIN SELECT id FROM accounts WHERE NOT starts_with(id, 'test_') AND ${where}
                          ORDER BY ${order} LIMIT 50`),
        );
      const key = `lower(email) COLLATE "C"`;
      const domain = `split_part(lower(email), '@', 2) COLLATE "C"`;
      return [
        await explain(`(${key}, id COLLATE "C") > ('a', '') AND ${key} < 'b'`, `${key}, id COLLATE "C"`),
        await explain(
          `(${domain}, id COLLATE "C") > ('a', '') AND ${domain} < 'b'`,
          `${domain}, id COLLATE "C"`,
        ),
        await explain(`suspended_at IS NOT NULL AND id COLLATE "C" < 'x'`, 'id COLLATE "C" DESC'),
        await explain(`plan = 'free' AND id COLLATE "C" < 'x'`, 'id COLLATE "C" DESC'),
      ];
    });
    const indexes = [
      'accounts_email_prefix',
      'accounts_domain_prefix',
      'accounts_suspended',
      'accounts_plan',
    ];
    for (const [index, name] of indexes.entries()) {
      expect(plans[index]).toContain(name);
      expect(plans[index], 'no sort').not.toContain('Sort');
    }
  });
});

describe('GET /operator/api/accounts/{id}', () => {
  it('shows limits and counts', async () => {
    const { id } = await harness.createAccount({ plan: 'free', limits: { keys: 7 } });
    await harness.createKey({ id, key: '', keyId: '' });
    expect(await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`)).toMatchObject({
      id,
      plan: 'free',
      limits: { rpm: 30, keys: 7 },
      planLimits: { keys: 1 },
      ownLimits: { keys: 7 },
      suspension: null,
      hasPassword: false,
      hasTwoFactor: false,
      resultCache: false,
      counts: { keys: 2, sessions: 0, members: 0, endpoints: 0, queuedJobs: 0 },
    });
  });
});

describe('PUT /operator/api/accounts/{id}/plan', () => {
  it('changes plan and limits, and records each change with the operator', async () => {
    const { id } = await harness.createAccount({ plan: 'free' });
    const path = `/accounts/${id}/plan`;
    const limits = { rpm: 5_000, storageBytes: 2 ** 43 };
    const changed = await operator.expect<ConsoleAccountDetailDto>(200, 'PUT', path, {
      plan: 'enterprise',
      limits,
    });
    expect(changed).toMatchObject({
      plan: 'enterprise',
      ownLimits: limits,
      limits: { rpm: 5_000, keys: 15 },
    });
    const back = await operator.expect<ConsoleAccountDetailDto>(200, 'PUT', path, {
      plan: 'personal',
      limits: null,
    });
    expect(back).toMatchObject({ plan: 'personal', ownLimits: null, limits: { rpm: 120 } });
    expect(await operator.audited(id)).toEqual([
      { action: 'plan.changed', details: { from: 'free', to: 'enterprise', limits } },
      { action: 'plan.changed', details: { from: 'enterprise', to: 'personal' } },
    ]);
  });
});
