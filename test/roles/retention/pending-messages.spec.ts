import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIG } from '../../../src/config/tokens.js';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { Retention } from '../../../src/dispatcher/retention/retention.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { newId } from '../../../src/kernel/ids.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const DAY_MS = 86_400_000;

describe('the retention of messages that are 31 days old', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('keeps a delivery with attempts to come, and deletes one that no dispatcher took', async () => {
    const account = await harness.createAccount();
    const { id: endpointId } = await harness.newEndpoint(account);
    /** @param due relative to now */
    const write = async (due: string): Promise<string> => {
      const { id } = await harness.newDelivery(account, endpointId);
      const old = newId('delivery', Date.now() - 31 * DAY_MS);
      await harness.rows(
        `UPDATE webhook_deliveries SET id = $2, created_at = now() - interval '31 days', due_at = now() + $3::interval
          WHERE id = $1`,
        [id, old, due],
      );
      return old;
    };
    const [next, late] = [await write('1 day'), await write('-1 day')];
    await write('-31 days');
    await new Retention(harness.app.get(Database), harness.app.get(CONFIG)).run(new AbortController().signal);
    const kept = await harness.rows<{ id: string }>('SELECT id FROM webhook_deliveries');
    expect(kept.map(({ id }) => id).toSorted()).toEqual([next, late].toSorted());
  });

  it('keeps an email with attempts to come, and deletes one that no dispatcher took', async () => {
    await harness.rows(
      `INSERT INTO mails (id, kind, recipient, sealed_content, status, due_at, created_at, ended_at)
       SELECT id, 'test', 'a@example.org', '', status, now() + due::interval, now() - interval '31 days',
              CASE WHEN status <> 'pending' THEN now() END
         FROM (VALUES ('next', 'pending', '1 day'), ('late', 'pending', '-1 day'), ('untaken', 'pending', '-31 days'),
                      ('sent', 'sent', NULL)) m (id, status, due)`,
    );
    const { app } = harness;
    await new RetentionCleanup(app.get(Database), app.get(ObjectStore), app.get(CONFIG)).keep();
    expect(await harness.rows('SELECT id FROM mails ORDER BY id')).toEqual([{ id: 'late' }, { id: 'next' }]);
  });
});
