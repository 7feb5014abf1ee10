import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/sources → 400', () => {
  it.each([
    ['limit=0', 'invalid_request'],
    ['limit=101', 'invalid_request'],
    ['limit=x', 'invalid_request'],
    ['status=queued', 'invalid_request'],
    ['cursor=x', 'invalid_cursor'],
    [`cursor=${Buffer.from(newId('job')).toString('base64url')}`, 'invalid_cursor'],
  ])('%s', async (query, code) => {
    const { status, body } = await harness.call('GET', `/api/ai/sources?${query}`, { key: account.key });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code });
  });
});
