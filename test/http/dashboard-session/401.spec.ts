import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { workOf as workOfHarness } from '../../support/app/work-of.js';

let harness: Harness;
let email: string;
beforeAll(async () => {
  harness = await sharedHarness();
  ({ email } = await new DashboardClient(harness).newPerson());
});
afterAll(() => harness.close());

const workOf = (request: () => Promise<unknown>) => workOfHarness(harness, request);

const attempt = (path: string, json: object) => new DashboardClient(harness).call('POST', path, { json });

describe('signing in', () => {
  it('returns the same response, except for the request ID, whether or not the account exists', async () => {
    const keysOnly = (await harness.createAccount()).id;
    const [{ email: without }] = (await harness.rows<{ email: string }>(
      'SELECT email FROM accounts WHERE id = $1',
      [keysOnly],
    )) as [{ email: string }];
    const answers = [];
    for (const who of [email, email.toUpperCase(), without, 'nobody@example.org', 'no address at all']) {
      const { status, body, headers } = await attempt('/sign-in', {
        email: who,
        password: 'wrong wrong wrong',
      });
      const { requestId: _, ...problem } = body as Record<string, unknown>;
      answers.push({ status, problem, headers: Object.keys(headers).toSorted() });
    }
    expect(answers[0]).toMatchObject({
      status: 401,
      problem: { code: 'invalid_credentials', title: 'Incorrect email or password' },
    });
    // The dashboard shows both.
    expect(answers[0]!.problem.detail).toBe('Check your email address and password, and try again.');
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('does the same work in each of these cases, to prevent timing attacks', async () => {
    const wrong = { password: 'wrong wrong wrong' };
    const known = await workOf(() => attempt('/sign-in', { email, ...wrong }));
    const unknown = await workOf(() => attempt('/sign-in', { email: 'nobody@example.org', ...wrong }));
    const counted = ['rate_limit_take_all', 'rate_limit_take_all', 'rate_limit_take_all'];
    expect(known).toEqual([...counted, 'credentials_by_email', 'verify', 'audit_record_failure']);
    expect(unknown).toEqual(known);
  });

  it('refuses an account that has no password', async () => {
    const account = await harness.createAccount();
    const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
      account.id,
    ]);
    for (const password of ['', 'null', 'a cow jumped over the moon'])
      expect((await attempt('/sign-in', { email: row!.email, password })).status).toBe(401);
  });
});

describe('signing up', () => {
  it('returns the same response for free and taken addresses, with the same work, and changes no account', async () => {
    const before = await harness.rows(
      'SELECT id, email, plan, password_hash FROM accounts WHERE email = $1',
      [email],
    );
    const json = { email: email.toUpperCase(), password: 'somebody else is here' };
    const taken = await attempt('/sign-up', json);
    const free = await attempt('/sign-up', { ...json, email: 'free@example.org' });
    expect({ status: taken.status, body: taken.body as unknown }).toEqual({ status: 202, body: {} });
    expect({ status: free.status, body: free.body as unknown }).toEqual({ status: 202, body: {} });
    expect(Object.keys(taken.headers).toSorted()).toEqual(Object.keys(free.headers).toSorted());
    const work = await workOf(() => attempt('/sign-up', json));
    expect(work).toEqual(['rate_limit_take_all', 'rate_limit_take_all', 'hash', 'credentials_sign_up']);
    expect(await workOf(() => attempt('/sign-up', { ...json, email: 'also-free@example.org' }))).toEqual(
      work,
    );
    const after = await harness.rows('SELECT id, email, plan, password_hash FROM accounts WHERE email = $1', [
      email,
    ]);
    expect(after).toEqual(before);
    expect((await attempt('/sign-in', json)).status).toBe(401);
    expect((await attempt('/sign-in', { email, password: PASSWORD })).status).toBe(200);
  });

  it('creates one account for many concurrent requests', async () => {
    const json = { email: 'ten@example.org', password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 10 }, () => attempt('/sign-up', json)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 202));
    expect(await harness.rows('SELECT 1 FROM accounts WHERE email = $1', [json.email])).toHaveLength(1);
  });
});
