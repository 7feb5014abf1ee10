import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.close());

const CHAIN = [
  { operation: 'smooth_skin', level: 'low' },
  { operation: 'upscale' },
  { operation: 'bg_remove', level: 'high' },
];

async function refused(account: TestAccount, status: number, json: Record<string, unknown>) {
  const before = await harness.footprint();
  const answer = await harness.createJob(account.key, json);
  expect(answer.status, answer.text).toBe(status);
  expect(await harness.footprint()).toEqual(before);
  return answer.body as { code: string; detail: string; errors: { field: string; code: string }[] };
}

async function settled(account: TestAccount) {
  const [row] = await harness.rows<{ jobs: number; used: number; ledger: number; days: number }>(
    `SELECT (SELECT count(*) FROM jobs WHERE account_id = $1)::int AS jobs,
            (SELECT coalesce(sum(used), 0) FROM enhancement_usage WHERE account_id = $1)::int AS used,
            (SELECT coalesce(sum(CASE kind WHEN 'reserve' THEN enhancements WHEN 'refund' THEN -enhancements ELSE 0 END), 0)
               FROM quota_ledger WHERE account_id = $1)::int AS ledger,
            (SELECT coalesce(sum(count), 0) FROM enhancement_days WHERE account_id = $1)::int AS days`,
    [account.id],
  );
  return row;
}

describe('POST /api/ai/enhance with operations', () => {
  it('creates one job with several steps, and charges each step', async () => {
    const account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account, await photo(64, 48, 'jpeg'));
    const { status, body } = await harness.createJob(account.key, { sourceUrl, operations: CHAIN });
    expect(status).toBe(201);
    const levels = ['low', 'medium', 'high'];
    const untouched = { model: null, timings: null };
    expect(body).toMatchObject({
      operation: 'smooth_skin',
      level: 'low',
      operations: CHAIN.map(({ operation }, index) => ({ operation, level: levels[index], ...untouched })),
      output: { format: 'png' },
    });
    expect(await settled(account)).toEqual({ jobs: 1, used: 3, ledger: 3, days: 3 });
    await harness.jobs.complete(body['id'] as string);
    const { body: ended } = await harness.call('GET', `/api/ai/enhance/${body['id'] as string}`, account);
    const model = { name: 'test', version: 1, sha256: 'ab'.repeat(32) };
    expect(ended).toMatchObject({
      model,
      operations: CHAIN.map(() => ({ model, timings: { inferenceMs: 2 } })),
    });
    expect(await settled(account)).toEqual({ jobs: 1, used: 3, ledger: 3, days: 3 });
    const { body: listed } = await harness.call('GET', '/api/ai/enhance?operation=upscale', account);
    expect(listed).toMatchObject({ data: [] });
  });

  it('stores a list of one operation as a single operation', async () => {
    const account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account);
    const { body } = await harness.createJob(account.key, {
      sourceUrl,
      operations: [{ operation: 'upscale' }],
    });
    expect(body['operations']).toEqual([
      { operation: 'upscale', level: 'medium', model: null, timings: null },
    ]);
    expect(await harness.rows('SELECT steps FROM jobs WHERE id = $1', [body['id']])).toEqual([
      { steps: null },
    ]);
  });

  it('refunds all enhancements when the job fails or is canceled, even by the previous release', async () => {
    const account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account);
    const created = await Promise.all(
      [1, 2, 3].map(() => harness.createJob(account.key, { sourceUrl, operations: CHAIN, cache: false })),
    );
    const [failed, canceled, old] = created.map(({ body }) => body['id'] as string);
    expect(await settled(account)).toMatchObject({ used: 9, days: 9 });
    await harness.jobs.fail(failed!, 'no_subject_found');
    await Promise.all(
      [1, 2, 3].map(() => harness.call('POST', `/api/ai/enhance/${canceled!}/cancel`, account)),
    );
    expect(await settled(account)).toMatchObject({ used: 3, ledger: 3, days: 3 });
    // Refunds a canceled job the way the previous release does.
    await harness.rows(
      `WITH settled AS (
         INSERT INTO quota_ledger (job_id, kind, account_id, period)
         SELECT id, 'refund', account_id, period FROM jobs WHERE id = $1 RETURNING account_id, period)
       UPDATE enhancement_usage u SET used = greatest(0, u.used - 1) FROM settled s
        WHERE u.account_id = s.account_id AND u.period = s.period`,
      [old],
    );
    expect(await settled(account)).toMatchObject({ used: 0, days: 0 });
  });

  it('lets exactly two of ten concurrent requests succeed when only two fit', async () => {
    const account = await harness.createAccount({ limits: { enhancements: 8 } });
    const { url: sourceUrl } = await harness.newSource(account);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => harness.createJob(account.key, { sourceUrl, operations: CHAIN })),
    );
    const countOf = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([countOf(201), countOf(403)]).toEqual([2, 8]);
    expect(await settled(account)).toEqual({ jobs: 2, used: 6, ledger: 6, days: 6 });
    const refusal = answers.find(({ status }) => status === 403)!.body;
    expect(refusal).toMatchObject({ code: 'quota_exceeded', limit: 8, used: 6 });
    expect(refusal['detail']).toContain('This request needs 3, and the account has 2 left.');
    const { status } = await harness.createJob(account.key, { sourceUrl, operations: CHAIN.slice(1) });
    expect(status).toBe(201);
    expect(await settled(account)).toMatchObject({ used: 8, days: 8 });
  });

  it.each<[string, Record<string, unknown>, { field: string; code: string }[]]>([
    ['both fields', { operation: 'upscale', operations: CHAIN }, [{ field: 'operations', code: 'conflict' }]],
    [
      'an option next to the list',
      { level: 'low', operations: CHAIN },
      [{ field: 'level', code: 'conflict' }],
    ],
    ['an empty list', { operations: [] }, [{ field: 'operations', code: 'range' }]],
    [
      'seven steps',
      { operations: Array.from({ length: 7 }, () => ({ operation: 'upscale' })) },
      [{ field: 'operations', code: 'range' }],
    ],
    ['a string instead of a list', { operations: 'upscale' }, [{ field: 'operations', code: 'type' }]],
    ['strings in the list', { operations: ['upscale'] }, [{ field: 'operations.0', code: 'type' }]],
    [
      'unknown operations',
      { operations: [{ operation: 'blur' }, CHAIN[0], { operation: 'x' }] },
      [
        { field: 'operations.0.operation', code: 'enum' },
        { field: 'operations.2.operation', code: 'enum' },
      ],
    ],
    [
      'errors in several steps',
      { operations: [{ level: 'low' }, CHAIN[0], { operation: 'upscale', level: 'most' }] },
      [
        { field: 'operations.0.operation', code: 'required' },
        { field: 'operations.2.level', code: 'enum' },
      ],
    ],
    [
      'an unknown field of a step',
      { operations: [CHAIN[0], { operation: 'upscale', levels: 'low' }] },
      [{ field: 'operations.1.levels', code: 'unknown' }],
    ],
    [
      'transparency in a JPEG without a background',
      { operations: [CHAIN[2], CHAIN[1]], output: { format: 'jpeg' } },
      [{ field: 'output.background', code: 'required' }],
    ],
  ])('refuses %s', async (_what, order, errors) => {
    const account = await harness.createAccount();
    const { url: sourceUrl } = await harness.newSource(account);
    const body = await refused(account, 400, { sourceUrl, ...order });
    expect(body.errors.map(({ field, code }) => ({ field, code }))).toEqual(errors);
  });

  it('refuses a chain whose result is too large, and names the step', async () => {
    const small = await harness.another({ env: { MAX_OUTPUT_PIXELS: '160000' } });
    try {
      const account = await harness.createAccount();
      const { url: sourceUrl } = await harness.newSource(account, await photo(200, 100, 'jpeg'));
      const operations = [{ operation: 'upscale' }, { operation: 'upscale', level: 'high' }];
      const { status, body } = await small.createJob(account.key, { sourceUrl, operations });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'too_many_pixels',
        errors: [{ field: 'operations.1.operation' }],
      });
      expect(await settled(account)).toEqual({ jobs: 0, used: 0, ledger: 0, days: 0 });
      const { body: preview } = await small.createJob(account.key, {
        sourceUrl,
        operations: [{ operation: 'auto_enhance' }, { operation: 'upscale' }],
        dryRun: true,
      });
      expect(preview).toMatchObject({ cost: 2, result: { width: 400, height: 200 } });
    } finally {
      await small.close();
    }
  });
});
