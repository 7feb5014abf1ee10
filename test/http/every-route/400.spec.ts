import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('400', () => {
  it('for a body nested deeper than anything the API reads', async () => {
    const body = `{"metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const answer = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ code: 'members' }] });
  });

  it('for a deeply nested body with few members', async () => {
    const body = `{"metadata":${'['.repeat(100)}${']'.repeat(100)}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await harness.call('POST', '/api/ai/enhance', { key: account.key, headers, body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ code: 'depth' }] });
  });

  it('for a query with more parameters than anything the API reads', async () => {
    const query = Array.from({ length: 1_000 }, (_, index) => `a${index}=1`).join('&');
    const answer = await harness.call('GET', `/api/ai/enhance?${query}`, { key: account.key });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'invalid_request', errors: [{ code: 'members' }] });
  });

  it('with the first twenty errors when there are very many', async () => {
    const json = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`field${index}`, 1]));
    const answer = await harness.call('POST', '/api/ai/enhance', { key: account.key, json });
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: unknown[] }).errors).toHaveLength(20);
  });

  it.each([
    'createdAfter=2026-W10',
    'createdAfter=2026-325',
    'createdAfter=2026',
    'createdBefore=2026-11-21T08:00:00',
    'createdBefore=2026-13-41T08:00:00Z',
    'operation=%00',
    'operation=Upscale',
    '__proto__=1',
    'constructor=1',
  ])('for an invalid filter: %s', async (query) => {
    const answer = await harness.call('GET', `/api/ai/enhance?${query}`, { key: account.key });
    expect(answer.status).toBe(400);
    expect((answer.body as { errors: unknown[] }).errors).toHaveLength(1);
  });
});
