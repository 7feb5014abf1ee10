import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await startHarness({ env: { SIGN_UPS_PER_MINUTE: '1000' } });
  browser = new DashboardClient(harness);
});
afterAll(() => harness.close());

const email = 'somebody@example.org';

describe('POST /dashboard/api/sign-up', () => {
  it.each([
    [{}, ['email', 'password']],
    [{ email, password: 'short' }, ['password']],
    [{ email, password: 'x'.repeat(201) }, ['password']],
    [{ email, password: 'abababababab' }, ['password']],
    [{ email, password: email.toUpperCase() }, ['password']],
    [{ email, password: 'Password2026!' }, ['password']],
    [{ email, password: 'somebody 12345' }, ['password']],
    [{ email, password: 1_000_000_000_000 }, ['password']],
    [{ email: 'nobody', password: PASSWORD }, ['email']],
    [{ email: 'a@b@c', password: PASSWORD }, ['email']],
    [{ email: 'a b@example.org', password: PASSWORD }, ['email']],
    [{ email: 'a\0@example.org', password: PASSWORD }, ['email']],
    [{ email: `${'x'.repeat(250)}@example.org`, password: PASSWORD }, ['email']],
    [{ email: ['a@example.org'], password: PASSWORD }, ['email']],
    [{ email, password: PASSWORD, plan: 'enterprise' }, ['plan']],
  ])('refuses %j', async (json, fields) => {
    const { status, body } = await browser.call('POST', '/sign-up', { json });
    expect(status).toBe(400);
    const problem = body as { code: string; detail: string; errors: { field: string }[] };
    expect(problem.code).toBe('invalid_request');
    expect(problem.errors.map(({ field }) => field)).toEqual(fields);
    expect(problem.detail).not.toContain(PASSWORD);
    expect(await harness.rows('SELECT 1 FROM accounts')).toEqual([]);
  });
});

describe('POST /dashboard/api/sign-in', () => {
  it.each([
    [{}],
    [{ email }],
    [{ email, password: null }],
    [{ email: 1, password: PASSWORD }],
    [{ email: 'a\0b@example.org', password: PASSWORD }],
    [{ email: '\ud800@example.org', password: PASSWORD }],
    [{ email, password: 'x'.repeat(801) }],
  ])('refuses %j', async (json) => {
    expect((await browser.call('POST', '/sign-in', { json })).status).toBe(400);
  });

  it('accepts only JSON, so that no form on another site can sign anyone in', async () => {
    const answer = await browser.call('POST', '/sign-in', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `email=${email}&password=${PASSWORD}`,
    });
    expect(answer.status).toBe(415);
    const text = JSON.stringify({ email, password: PASSWORD });
    const plain = await browser.call('POST', '/sign-in', {
      headers: { 'content-type': 'text/plain' },
      body: text,
    });
    expect(plain.status).toBe(415);
  });
});
