import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { devicesOf, userBrowsers } from '../../support/app/user-browsers.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /dashboard/api/sessions', () => {
  it('lists the sessions of the user, the current one first, without tokens', async () => {
    const { id, all } = await userBrowsers(harness, 2);
    const [here, there] = [all[0]!, all[1]!];
    await harness.rows(
      `UPDATE sessions SET user_agent = 'Firefox' WHERE account_id = $1 AND token_hash = sha256($2)`,
      [id, Buffer.from(here.cookie!.split('=')[1]!)],
    );
    const { body, text } = await here.call('GET', '/sessions');
    const time = expect.stringMatching(/Z$/) as string;
    expect(body).toMatchObject({
      data: [
        { isCurrent: true, address: '127.0.0.1', userAgent: 'Firefox', createdAt: time, lastSeenAt: time },
        { isCurrent: false, address: '127.0.0.1', expiresAt: time },
      ],
    });
    expect(text).not.toContain(here.cookie!.split('=')[1]);
    const ids = (await devicesOf(here)).map((device) => device.id);
    expect((await devicesOf(there)).map((device) => device.id)).toEqual(ids.toReversed());
  });

  it('leaves out sessions that have been idle for too long', async () => {
    const { id, all } = await userBrowsers(harness, 2);
    await harness.rows(
      `UPDATE sessions SET last_seen_at = now() - interval '8 days' WHERE account_id = $1 AND token_hash = sha256($2)`,
      [id, Buffer.from(all[1]!.cookie!.split('=')[1]!)],
    );
    expect(await devicesOf(all[0]!)).toHaveLength(1);
  });

  it('shows sessions from the previous version, which have no address and no browser', async () => {
    const { id, all } = await userBrowsers(harness, 1);
    await harness.rows('UPDATE sessions SET address = NULL, user_agent = NULL WHERE account_id = $1', [id]);
    expect(await devicesOf(all[0]!)).toMatchObject([{ isCurrent: true, address: null, userAgent: null }]);
  });
});
