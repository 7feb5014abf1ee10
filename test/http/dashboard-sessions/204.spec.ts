import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { devicesOf, userBrowsers } from '../../support/app/user-browsers.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

const isSignedIn = async (browser: DashboardClient): Promise<boolean> =>
  ((await browser.call('GET', '/session')).body as { account: object | null }).account !== null;

const revoked = (id: string) =>
  harness.rows(
    `SELECT actor_id, details FROM audit_events WHERE account_id = $1 AND action = 'session.revoked' ORDER BY id`,
    [id],
  );

describe('ending sessions', () => {
  it('signs out one device, and no other', async () => {
    const { id, all } = await userBrowsers(harness, 3);
    const [here, there, elsewhere] = [all[0]!, all[1]!, all[2]!];
    const device = (await devicesOf(there)).find(({ isCurrent }) => isCurrent)!;
    expect((await here.call('DELETE', `/sessions/${device.id}`)).status).toBe(204);
    expect(await Promise.all([here, there, elsewhere].map(isSignedIn))).toEqual([true, false, true]);
    expect((await here.call('DELETE', `/sessions/${device.id}`)).status).toBe(404);
    expect(await revoked(id)).toEqual([{ actor_id: id, details: { sessions: 1 } }]);
  });

  it('signs out all other devices, and records it once', async () => {
    const { id, all } = await userBrowsers(harness, 3);
    expect((await all[0]!.call('POST', '/sessions/end-others', { json: {} })).status).toBe(204);
    expect((await all[0]!.call('POST', '/sessions/end-others', { json: {} })).status).toBe(204);
    expect(await Promise.all(all.map(isSignedIn))).toEqual([true, false, false]);
    expect(await revoked(id)).toEqual([{ actor_id: id, details: { sessions: 2 } }]);
  });

  it('never ends the session of another user', async () => {
    const [mine, theirs] = [await userBrowsers(harness, 1), await userBrowsers(harness, 1)];
    const [device] = await devicesOf(theirs.all[0]!);
    for (const id of [device!.id, '%25', device!.id.slice(0, 31)])
      expect((await mine.all[0]!.call('DELETE', `/sessions/${id}`)).status, id).toBe(404);
    expect(await isSignedIn(theirs.all[0]!)).toBe(true);
  });
});
