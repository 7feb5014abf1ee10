import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const PATH = '/api/webhooks/endpoints';
const json = { url: 'https://receiver.example/' };

describe('POST /api/webhooks/endpoints → 409', () => {
  it('after 20 endpoints, even when requests are concurrent', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => harness.call('POST', PATH, { key: account.key, json })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ status: 409, code: 'endpoint_limit_reached' });
    const first = answers.find(({ status }) => status === 201);
    const { id } = first!.body as { id: string };
    expect((await harness.call('DELETE', `${PATH}/${id}`, { key: account.key })).status).toBe(204);
    expect((await harness.call('POST', PATH, { key: account.key, json })).status).toBe(201);
  });

  it('but does not count endpoints of other accounts', async () => {
    const other = await harness.createAccount();
    expect((await harness.call('POST', PATH, { key: other.key, json })).status).toBe(201);
  });
});
