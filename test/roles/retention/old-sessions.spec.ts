import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { newResult } from '../../support/app/results.js';

describe('retention cleanup', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('deletes only expired sessions', async () => {
    const [over, open] = [new DashboardClient(harness), new DashboardClient(harness)];
    const { email, id } = await over.newPerson();
    await harness.rows(`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE account_id = $1`, [
      id,
    ]);
    await open.signIn(email);
    await new RetentionCleanup(
      harness.app.get(Database),
      harness.app.get(ObjectStore),
      harness.app.get(CONFIG),
    ).keep();
    expect(await harness.rows('SELECT expires_at > now() AS "isOpen" FROM sessions')).toEqual([
      { isOpen: true },
    ]);
    expect((await open.call('GET', '/keys')).status).toBe(200);
  });

  it('deletes share links a week after they expire', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const { id: jobId } = await newResult(harness, account);
    const links = await Promise.all(
      ['8 days', '6 days', '-30 minutes'].map(async (age) => {
        const made = await browser.call('POST', '/ai/share-links', { json: { jobId, expiresIn: 3_600 } });
        const { id } = made.body as { id: string };
        const values = [id, age];
        await harness.rows('UPDATE share_links SET expires_at = now() - $2::interval WHERE id = $1', values);
        return id;
      }),
    );
    await new RetentionCleanup(
      harness.app.get(Database),
      harness.app.get(ObjectStore),
      harness.app.get(CONFIG),
    ).keep();
    const kept = await harness.rows<{ id: string }>('SELECT id FROM share_links ORDER BY id');
    expect(kept.map(({ id }) => id)).toEqual(links.slice(1).toSorted());
  });
});
