import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Catalog } from '../../../src/models/repository/catalog.js';
import type { Config } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { SourceAlpha1732700000000 } from '../../../src/infra/database/migrations/1732700000000-source-alpha.js';
import { readHeader } from '../../../src/infra/image/containers/header.js';
import { FairQueueRepository } from '../../../src/jobs/queue/fair-queue.repository.js';
import { SourcesRepository } from '../../../src/uploads/sources/sources.repository.js';
import { photo, progressiveJpeg } from '../../support/images/images.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

describe('sources stored before decoding memory was recorded', () => {
  let harness: Harness;
  let account: TestAccount;
  beforeAll(async () => {
    harness = await startHarness();
    account = await harness.createAccount();
  });
  afterAll(() => harness?.close());

  const idOf = async (format: 'jpeg' | 'png', channels: 3 | 4): Promise<string> =>
    (await harness.newSource(account, await photo(40, 30, format, channels))).id;

  /** Where each row is and who wrote it: this changes whenever a row is rewritten. */
  const rows = () => harness.rows('SELECT id, ctid::text, xmin::text FROM sources ORDER BY id');

  async function hasAlpha(id: string): Promise<boolean> {
    const sources = harness.app.get(SourcesRepository);
    return (await sources.findForJob(harness.app.get(Database), account.id, id))!.hasAlpha;
  }

  it('are not rewritten by the migration, and count as transparent if their format can be', async () => {
    const [jpeg, opaque, transparent] = [await idOf('jpeg', 3), await idOf('png', 3), await idOf('png', 4)];
    const migration = new SourceAlpha1732700000000();
    const dataSource = await createDataSource({
      databaseUrl: harness.app.get<Config>(CONFIG).databaseUrl!,
      poolSize: 1,
      applicationName: 'test',
    }).initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await runner.query('ALTER TABLE sources DROP COLUMN has_alpha, DROP COLUMN decoding_bytes');
      const before = await rows();
      await migration.up(runner);
      expect(await rows()).toEqual(before);
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
    expect(await hasAlpha(jpeg)).toBe(false);
    expect(await hasAlpha(opaque)).toBe(true);
    expect(await hasAlpha(transparent)).toBe(true);
    // New uploads are inspected.
    expect(await hasAlpha(await idOf('png', 3))).toBe(false);
  });

  it('have no decoding memory for workers, while new sources have it', async () => {
    const queue = harness.app.get(FairQueueRepository);
    const bytesOf = async (): Promise<number | null> => {
      const [job] = await queue.waiting(harness.app.get(Catalog).kinds(), 1);
      return job!.sourceDecodingBytes;
    };
    const file = await progressiveJpeg(400, 300);
    const { decodingBytes } = await readHeader(file, { maxPixels: 1e6 });
    const source = await harness.newSource(account, file);
    const { id } = await harness.newJob(account, { sourceUrl: source.url });
    expect(await bytesOf()).toBe(decodingBytes);
    await harness.rows('UPDATE sources SET decoding_bytes = NULL WHERE id = $1', [source.id]);
    expect(await bytesOf()).toBeNull();
    await harness.jobs.complete(id);
  });
});
