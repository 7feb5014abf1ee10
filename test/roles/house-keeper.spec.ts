import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HouseKeeper } from '../../src/app/dispatcher/house-keeper.js';
import { Database } from '../../src/infra/database/database.js';
import { ObjectStore } from '../../src/infra/storage/object-store.js';
import { newId } from '../../src/kernel/ids.js';
import { type Harness, startHarness } from '../support/harness.js';

const DAY_MS = 24 * 3_600_000;

describe('the house keeper', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness();
  });
  afterAll(() => harness?.close());

  it('deletes events after 30 days, in as many batches as it takes, and no younger one', async () => {
    const account = await harness.createAccount();
    const write = async (daysAgo: number, count: number) => {
      const at = new Date(Date.now() - daysAgo * DAY_MS);
      const ids = Array.from({ length: count }, () => newId('event', at.getTime()));
      await harness.rows(
        `INSERT INTO events (id, account_id, type, data, created_at)
         SELECT id, $2, 'ping', '{}', $3 FROM unnest($1::text[]) AS id`,
        [ids, account.id, at],
      );
      return ids;
    };
    await write(31, 1_500);
    const young = await write(29, 2);
    await new HouseKeeper(harness.app.get(Database), harness.app.get(ObjectStore)).keep();
    const left = await harness.rows<{ id: string }>('SELECT id FROM events ORDER BY id');
    expect(left.map(({ id }) => id)).toEqual(young);
  });
});
