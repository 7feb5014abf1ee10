import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { CHECK_REVISION } from '../../../src/models/check/verdict.js';
import { ModelVersion } from '../../../src/models/repository/model-version.js';
import { readVersion } from '../../../src/models/repository/read-version.js';
import { withBriefConnection } from '../../../src/models/serving/brief-connection.js';
import { VerdictsTable } from '../../../src/models/serving/verdicts-table.js';
import { ModelVerdicts, type VerdictTerms } from '../../../src/models/swap/model-verdicts.js';
import { createEmptyDatabase, createTestDatabase } from '../../support/database/postgres.js';

const TERMS = { device: 'webgpu', memoryLimitBytes: 8e9 } as const;
const BROKEN = { reason: 'it is broken', isTransient: false };

describe('verdicts of workers that share only a database', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let table: VerdictsTable;
  let one: ModelVersion;

  beforeAll(async () => {
    database = await createTestDatabase();
    table = new VerdictsTable(database.databaseUrl);
    one = await readVersion(join(ROOT, 'models', 'upscale', '1'));
  });
  afterAll(() => database?.drop());
  beforeEach(() =>
    withBriefConnection(database.databaseUrl, (client) => client.query('DELETE FROM model_verdicts')),
  );

  /** A worker that starts now. */
  async function worker(terms: VerdictTerms = TERMS): Promise<ModelVerdicts> {
    const verdicts = new ModelVerdicts(table, terms);
    await verdicts.refresh();
    return verdicts;
  }

  const numbered = (version: number): ModelVersion => new ModelVersion(one.manifest, version, one.folder, []);

  it('apply to one device, precision, memory limit, runtime and revision of the check', async () => {
    await (await worker()).note(one, BROKEN);
    expect((await worker()).reason(one)).toBe('it is broken');
    expect((await worker({ ...TERMS, device: 'cpu' })).has(one)).toBe(false);
    expect((await worker({ ...TERMS, memoryLimitBytes: 9e9 })).has(one)).toBe(false);
    expect((await worker({ ...TERMS, precision: 'float32' })).has(one)).toBe(false);
    expect((await worker({ ...TERMS, checkRevision: CHECK_REVISION })).has(one)).toBe(true);
    expect((await worker({ ...TERMS, checkRevision: CHECK_REVISION + 1 })).has(one)).toBe(false);
  });

  it('are stored whatever the reason quotes', async () => {
    const reason = `the inputs are a\0b, not the input image: ${'long '.repeat(1_000)}`;
    await (await worker()).note(one, { reason, isTransient: false });
    const stored = (await worker()).reason(one)!;
    expect(stored).toMatch(/^the inputs are ab, not the input image: long .*…$/);
    expect(stored.length).toBeLessThan(2_100);
  });

  it('reach running workers at their next refresh', async () => {
    const [first, second] = [await worker(), await worker()];
    await first.note(one, null);
    expect(second.has(one)).toBe(false);
    await second.refresh();
    expect([second.has(one), second.reason(one)]).toEqual([true, undefined]);
  });

  it('are all kept when several workers write many at once', async () => {
    const all = Array.from({ length: 11 }, (_, index) => numbered(index + 1));
    const workers = [await worker(), await worker()];
    await Promise.all(workers.flatMap((each) => all.map((version) => each.note(version, null))));
    const next = await worker();
    expect(all.map((version) => next.has(version))).not.toContain(false);
    expect((await table.read()).size).toBe(11);
  });

  it('are limited to the newest 500', async () => {
    await fill(503);
    await table.write({ key: 'newest', operation: 'upscale', version: 1, reason: null });
    const kept = [...(await table.read()).keys()];
    expect([kept.length, kept.includes('newest')]).toEqual([500, true]);
    for (const oldest of ['filler-1', 'filler-2', 'filler-3', 'filler-4']) expect(kept).not.toContain(oldest);
  });

  /** Inserts rows of other versions, the oldest first. */
  const fill = (count: number): Promise<unknown> =>
    withBriefConnection(database.databaseUrl, (client) =>
      client.query(
        `INSERT INTO model_verdicts (key, operation, version, reason, found_at)
         SELECT 'filler-' || n, 'upscale', n, 'broken', now() - interval '1 day' + n * interval '1 second'
           FROM generate_series(1, $1::int) AS n`,
        [count],
      ),
    );

  it('drop refusals and transient failures, but keep passes', async () => {
    const verdicts = await worker();
    await verdicts.note(one, BROKEN);
    await verdicts.note(numbered(2), { reason: 'memory is short', isTransient: true });
    await verdicts.note(numbered(3), null);
    expect(verdicts.reason(numbered(2))).toBe('memory is short');
    expect((await worker()).has(numbered(2))).toBe(false);
    await verdicts.forgetRefusals();
    expect([one, numbered(2), numbered(3)].map((each) => verdicts.has(each))).toEqual([false, false, true]);
  });

  it('are empty on an older schema', async () => {
    const old = await createEmptyDatabase();
    try {
      expect((await new VerdictsTable(old.databaseUrl).read()).size).toBe(0);
    } finally {
      await old.drop();
    }
  });
});
