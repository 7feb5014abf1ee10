import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

interface Issued {
  readonly id: string;
  readonly key: string;
  readonly status: string;
}

/** A user on this plan. */
async function person(plan: 'free' | 'personal' = 'free'): Promise<DashboardClient> {
  const browser = new DashboardClient(harness);
  const { id } = await browser.newPerson();
  await harness.accountsOf.setPlan(id, plan, null);
  return browser;
}

const works = async (key: string): Promise<number> =>
  (await harness.call('GET', '/api/usage', { key })).status;
const statuses = async (browser: DashboardClient): Promise<string[]> =>
  ((await browser.call('GET', '/keys')).body as { data: Issued[] }).data.map(({ status }) => status);

describe('keys', () => {
  it('are shown once, get the default scopes, and work', async () => {
    const browser = await person();
    const { status, body } = await browser.call('POST', '/keys', { json: { name: '  My laptop ' } });
    expect(status).toBe(201);
    const { key, ...shown } = body as Issued;
    expect(key).toMatch(/^ies_/);
    expect(shown).toMatchObject({
      name: 'My laptop',
      scopes: ['image:read', 'image:write', 'ai:enhance'],
      status: 'active',
      lastUsedAt: null,
      expiresAt: null,
    });
    expect(await works(key)).toBe(200);
    const list = await browser.call('GET', '/keys');
    expect(list.text).not.toContain(key);
    expect(list.body).toMatchObject({
      data: [{ id: shown.id, last4: key.slice(-4), lastUsedAt: expect.stringMatching(/Z$/) as string }],
      limit: 1,
      active: 1,
      upgrade: { plan: 'personal', url: `${PUBLIC_URL}/docs/plans#personal` },
    });
  });

  it('in test mode have their own limit', async () => {
    const browser = await person();
    await browser.call('POST', '/keys', { json: { name: 'Live' } });
    const json = { name: 'CI', livemode: false };
    const { status, body } = await browser.call('POST', '/keys', { json });
    expect(status).toBe(201);
    const { key, id } = body as Issued;
    expect(key).toMatch(/^ies_test_/);
    expect(body).toMatchObject({ livemode: false, prefix: key.slice(0, 13) });
    expect(await works(key)).toBe(200);
    const secondLive = await browser.call('POST', '/keys', { json: { name: 'Second' } });
    expect(secondLive.body).toMatchObject({
      detail: expect.stringMatching(/ has 1 active API key\. /) as string,
    });
    const rotated = await browser.call('POST', `/keys/${id}/rotate`, { json: { overlapSeconds: 0 } });
    expect((rotated.body as Issued).key).toMatch(/^ies_test_/);
    for (let active = 1; active < 5; active += 1)
      expect((await browser.call('POST', '/keys', { json })).status).toBe(201);
    const refused = await browser.call('POST', '/keys', { json });
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ code: 'key_limit_reached', limit: 5, used: 5 });
    const list = await browser.call('GET', '/keys');
    expect(list.body).toMatchObject({ limit: 1, active: 1, testLimit: 5, testActive: 5 });
  });

  it('accept scopes and an expiration date', async () => {
    const browser = await person('personal');
    const json = { name: 'Hooks', scopes: ['webhook:manage'], expiresAt: '2999-01-01T00:00:00Z' };
    const { body } = await browser.call('POST', '/keys', { json });
    expect(body).toMatchObject({ scopes: ['webhook:manage'], expiresAt: '2999-01-01T00:00:00.000Z' });
  });

  it('are limited by the plan, even when ten are requested at the same time', async () => {
    const browser = await person('personal');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        browser.call('POST', '/keys', { json: { name: `Key ${index}` } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 403)!;
    expect(refused.body).toMatchObject({
      code: 'key_limit_reached',
      limit: 3,
      used: 3,
      upgrade: { plan: 'business' },
    });
  });

  it('rotate with an overlap, even on a plan that allows one key', async () => {
    const browser = await person();
    const old = (await browser.call('POST', '/keys', { json: { name: 'Laptop' } })).body as Issued;
    const rotated = await browser.call('POST', `/keys/${old.id}/rotate`, { json: { overlapSeconds: 3600 } });
    expect(rotated.status, rotated.text).toBe(201);
    const fresh = rotated.body as Issued & { replaces: { expiresAt: string } };
    expect(fresh).toMatchObject({
      name: 'Laptop',
      status: 'active',
      replaces: { id: old.id, status: 'replaced', replacedById: fresh.id },
    });
    expect(Date.parse(fresh.replaces.expiresAt) - Date.now()).toBeGreaterThan(3_500_000);
    expect([await works(old.key), await works(fresh.key)]).toEqual([200, 200]);
    expect((await browser.call('GET', '/keys')).body).toMatchObject({ active: 1 });
    // Neither a third key nor another rotation of the replaced key is possible.
    expect((await browser.call('POST', '/keys', { json: { name: 'More' } })).status).toBe(403);
    expect((await browser.call('POST', `/keys/${old.id}/rotate`)).status).toBe(410);
  });

  it('do not multiply by rotation: two of a chain work, and a key without its successor counts', async () => {
    const browser = await person();
    const a = (await browser.call('POST', '/keys', { json: { name: 'A' } })).body as Issued;
    const b = (await browser.call('POST', `/keys/${a.id}/rotate`)).body as Issued;
    const c = (await browser.call('POST', `/keys/${b.id}/rotate`)).body as Issued;
    expect([await works(a.key), await works(b.key), await works(c.key)]).toEqual([401, 200, 200]);
    expect((await browser.call('DELETE', `/keys/${c.id}`)).status).toBe(204);
    expect((await browser.call('POST', '/keys', { json: { name: 'D' } })).status).toBe(403);
    expect((await browser.call('DELETE', `/keys/${b.id}`)).status).toBe(204);
    expect((await browser.call('POST', '/keys', { json: { name: 'D' } })).status).toBe(201);
  });

  it('rotate immediately with an overlap of zero', async () => {
    const browser = await person();
    const old = (await browser.call('POST', '/keys', { json: { name: 'Leaked' } })).body as Issued;
    const fresh = (await browser.call('POST', `/keys/${old.id}/rotate`, { json: { overlapSeconds: 0 } }))
      .body as Issued;
    expect([await works(old.key), await works(fresh.key)]).toEqual([401, 200]);
    expect(await statuses(browser)).toEqual(['active', 'expired']);
  });

  it('stop working when they are revoked, and can be revoked again without effect', async () => {
    const browser = await person();
    const { id, key } = (await browser.call('POST', '/keys', { json: { name: 'Old' } })).body as Issued;
    for (const _ of [1, 2]) expect((await browser.call('DELETE', `/keys/${id}`)).status).toBe(204);
    expect(await works(key)).toBe(401);
    expect(await statuses(browser)).toEqual(['revoked']);
    expect((await browser.call('POST', `/keys/${id}/rotate`)).status).toBe(410);
  });

  it.each([
    [{}, 'name'],
    [{ name: '   ' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ name: 'K', scopes: [] }, 'scopes'],
    [{ name: 'K', scopes: ['admin'] }, 'scopes'],
    [{ name: 'K', scopes: null }, 'scopes'],
    [{ name: 'K', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ name: 'K', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ name: 'K', plan: 'business' }, 'plan'],
  ])('are not created with %j', async (json, field) => {
    const { status, body } = await (await person()).call('POST', '/keys', { json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
  });

  it('of other users are not found', async () => {
    const { id } = (await (await person()).call('POST', '/keys', { json: { name: 'Theirs' } }))
      .body as Issued;
    const stranger = await person();
    for (const path of [id, 'key_1', '%00'])
      expect((await stranger.call('DELETE', `/keys/${path}`)).status, path).toBe(404);
    expect((await stranger.call('POST', `/keys/${id}/rotate`)).status).toBe(404);
  });
});
