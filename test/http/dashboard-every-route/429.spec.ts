import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { DASHBOARD_REQUESTS_PER_MINUTE: '5' } });
});
afterAll(() => harness.close());

describe('429', () => {
  it('limits the requests of an account across its sessions, and of no other account', async () => {
    const account = await harness.createAccount();
    const [one, two] = [new DashboardClient(harness), new DashboardClient(harness)];
    const { email } = await one.signInto(account);
    await two.signIn(email);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => [one, two][index % 2]!.call('GET', '/keys')),
    );
    const refused = answers.filter(({ status }) => status === 429);
    // Each sign-in has made one request.
    expect(refused).toHaveLength(7);
    expect(refused[0]!.body).toMatchObject({ code: 'too_many_attempts' });
    expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0);
    const other = new DashboardClient(harness);
    await other.signInto(await harness.createAccount());
    expect((await other.call('GET', '/keys')).status).toBe(200);
  });
});
