import type { DataSource } from 'typeorm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { auditLog } from '../../../src/audit/audit-log.js';
import { AccountErasureRepository } from '../../../src/accounts/account-erasure.repository.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { eventually } from '../../support/roles/flow-wait.js';

const FILL = [
  `INSERT INTO accounts (id, email, plan) VALUES ('acc_1', 'a@example.org', 'business')`,
  `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
   SELECT 'src_' || i, 'acc_1', 'sources/' || i, 'png', 1, 1, 6, 'ab', now() FROM generate_series(1, 2) i`,
  `INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, source_pixels, period,
                     enhancements, created_at)
   SELECT 'job_' || id, 'acc_1', id, 'upscale', 'low', '{}', '{}', 'queued', 1, '2026-01', 1, now() FROM sources`,
  `INSERT INTO quota_ledger (job_id, kind, account_id, period, enhancements)
   SELECT id, 'reserve', account_id, period, 1 FROM jobs`,
  // No job uses this source.
  `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
   VALUES ('src_3', 'acc_1', 'sources/3', 'png', 1, 1, 6, 'ab', now())`,
];

describe('the deletion of an account', () => {
  let created: TestDatabase;
  let dataSource: DataSource;
  let others: FlowDatabase;
  beforeEach(async () => {
    created = await createTestDatabase();
    const { databaseUrl } = created;
    dataSource = await createDataSource({ databaseUrl, poolSize: 2, applicationName: 'spec' }).initialize();
    others = new FlowDatabase(databaseUrl);
    for (const statement of FILL) await others.rows(statement);
  });
  afterEach(async () => {
    await others.close();
    await dataSource.destroy();
    await created.drop();
  });

  /** Runs `work` while the deletion waits for the rows that `lock` holds, and then finishes the deletion. */
  async function whileItWaits(lock: string, work: () => Promise<void>): Promise<void> {
    let deleted: Promise<void> | undefined;
    await others.whileHeld(lock, [], async () => {
      const erasure = new AccountErasureRepository();
      deleted = new Database(dataSource).transaction((tx) => erasure.erase(tx, 'acc_1'));
      await eventually('the deletion to wait', async () => {
        const blocked = await others.blocked();
        return blocked > 0 ? { found: true } : { seen: blocked };
      });
      await work();
    });
    await deleted;
    expect(await others.rows('SELECT 1 FROM accounts UNION ALL SELECT 1 FROM quota_ledger')).toEqual([]);
  }

  const free = (rows: string) => others.rows(`SELECT 1 FROM ${rows} FOR UPDATE SKIP LOCKED`);

  it('locks open jobs before the account, and no counter, as the creation of jobs does', async () => {
    await whileItWaits(`SELECT id FROM accounts WHERE id = 'acc_1' FOR KEY SHARE`, async () => {
      expect(await free(`enhancement_days WHERE account_id = 'acc_1'`)).toHaveLength(1);
      expect(await free('jobs')).toEqual([]);
    });
  });

  it('leaves open jobs to the workers while it deletes the other rows', async () => {
    await whileItWaits(`SELECT id FROM sources WHERE id = 'src_3' FOR UPDATE`, async () => {
      expect(await free('jobs')).toHaveLength(2);
    });
  });

  it('leaves no failed sign-in that was in progress meanwhile, which has an address', async () => {
    const fails = () => auditLog.recordFailure(new Database(dataSource), 'acc_1');
    const recorded = () => others.rows(`SELECT account_id FROM audit_events WHERE action = 'sign_in.failed'`);
    await fails();
    expect(await recorded()).toEqual([{ account_id: 'acc_1' }]);
    await others.rows(
      `INSERT INTO account_notices (account_id, kind, key, data) VALUES ('acc_1', 'quota', '1', '{}')`,
    );
    // It waits for this row when it holds the account.
    await whileItWaits('SELECT id FROM account_notices FOR UPDATE', fails);
    await fails();
    expect(await recorded()).toHaveLength(1);
  });
});
