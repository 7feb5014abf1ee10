import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { caseFolded } from '../../../src/kernel/email.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeEach(async () => {
  const env = { SIGN_UPS_PER_MINUTE: '3', SIGN_IN_ATTEMPTS_PER_MINUTE: '2', TRUST_PROXY: 'true' };
  harness = await startHarness({ env });
});
afterEach(() => harness.close());

/** Makes the given attempts one after another from one client address. */
async function statuses(path: string, from: string, bodies: readonly object[]): Promise<number[]> {
  const seen: number[] = [];
  for (const json of bodies) {
    const headers = { 'x-forwarded-for': from };
    const { status, headers: answered } = await new DashboardClient(harness).call('POST', path, {
      json,
      headers,
    });
    if (status === 429) expect(Number(answered['retry-after'])).toBeGreaterThan(0);
    seen.push(status);
  }
  return seen;
}

const password = 'wrong wrong wrong';
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe('429', () => {
  it('limits guesses at one account from one address, known or not, even with the right password', async () => {
    const account = await harness.createAccount();
    const { email } = await new DashboardClient(harness).signInto(account);
    for (const [who, from] of [
      [email, '198.51.100.1'],
      ['nobody@example.org', '198.51.100.2'],
    ] as const) {
      expect(
        await statuses(
          '/sign-in',
          from,
          times(4, () => ({ email: who, password })),
        ),
      ).toEqual([401, 401, 429, 429]);
    }
    expect(await statuses('/sign-in', '198.51.100.1', [{ email, password: PASSWORD }])).toEqual([429]);
    // The owner is not locked out from another address.
    expect(await statuses('/sign-in', '198.51.100.3', [{ email, password: PASSWORD }])).toEqual([200]);
  });

  it('counts every spelling for which the database finds one account in one limit', async () => {
    const letters = await harness.rows<{ letter: string; lower: string }>(
      `SELECT chr(code) AS letter, lower(chr(code)) AS lower FROM generate_series(1, 1114111) AS code
        WHERE code NOT BETWEEN 55296 AND 57343 AND lower(chr(code)) <> chr(code)`,
    );
    expect(letters.length).toBeGreaterThan(26);
    const differing = letters.filter(({ letter, lower }) => caseFolded(letter) !== caseFolded(lower));
    expect(differing).toEqual([]);
    const bodies = ['victim', 'vİctim', 'VICTİM'].map((name) => ({ email: `${name}@example.org`, password }));
    expect(await statuses('/sign-in', '198.51.100.9', bodies)).toEqual([401, 401, 429]);
  });

  it('limits attempts at many accounts from one address', async () => {
    const bodies = times(12, (index) => ({ email: `someone${index}@example.org`, password }));
    const seen = await statuses('/sign-in', '198.51.100.4', bodies);
    expect(seen.filter((status) => status === 401)).toHaveLength(10);
    expect(seen.slice(10)).toEqual([429, 429]);
  });

  it('limits attempts at one account from many addresses', async () => {
    const seen = [];
    for (let index = 0; index < 12; index += 1) {
      const body = { email: 'many@example.org', password };
      seen.push(...(await statuses('/sign-in', `203.0.113.${index}`, [body])));
    }
    expect(seen.filter((status) => status === 401)).toHaveLength(10);
  });

  it('limits sign-ups, and with them probes for free addresses', async () => {
    const bodies = times(5, (index) => ({ email: `new${index}@example.org`, password: PASSWORD }));
    expect(await statuses('/sign-up', '198.51.100.5', bodies)).toEqual([202, 202, 202, 429, 429]);
    expect(await statuses('/sign-up', '198.51.100.6', bodies.slice(4))).toEqual([202]);
  });
});
