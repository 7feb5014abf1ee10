import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

interface Row {
  readonly promise: { readonly producesAlpha: string };
  readonly steps: readonly { readonly promise: object }[];
}

const rowOf = async (id: unknown): Promise<Row> =>
  (await harness.rows<Row>('SELECT promise, steps FROM jobs WHERE id = $1', [id]))[0]!;

describe('POST /api/ai/enhance with model', () => {
  it('creates a job that only this version may run', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const json = { sourceUrl, operation: 'upscale', level: 'low', model: 'upscale@1' };
    const { status, body } = await harness.createJob(account.key, json);
    expect(status).toBe(201);
    const { promise, steps } = await rowOf(body['id']);
    expect(promise.producesAlpha).toBe('+upscale/low/2/false@1');
    expect(steps).toMatchObject([{ promise: { version: 1, pinned: true } }]);
  });

  it('pins single steps of a chain, for every item of a batch', async () => {
    const { url } = await harness.newSource(account);
    const operations = [{ operation: 'auto_enhance' }, { operation: 'upscale', model: 'upscale@1' }];
    const { status, body } = await harness.createBatch(account.key, { sourceUrls: [url, url], operations });
    expect(status).toBe(201);
    for (const id of await harness.batchJobs(body['id'] as string)) {
      const { promise } = await rowOf(id);
      expect(promise.producesAlpha).toBe('+auto_enhance/medium/1/false+upscale/medium/2/false@1');
    }
  });

  it.each([
    [{ operation: 'upscale', model: 'upscale@7' }, 'model', 'not_served'],
    [{ operation: 'upscale', model: 'auto_enhance@1' }, 'model', 'conflict'],
    [{ operation: 'upscale', model: 'upscale' }, 'model', 'matches'],
    [{ operation: 'upscale', model: 'upscale@0' }, 'model', 'matches'],
    [{ operation: 'upscale', model: 'upscale@latest' }, 'model', 'matches'],
    [{ operation: 'upscale', model: null }, 'model', 'type'],
    [{ operations: [{ operation: 'upscale' }], model: 'upscale@1' }, 'model', 'conflict'],
    [{ operations: [{ operation: 'upscale', model: 'upscale@7' }] }, 'operations.0.model', 'not_served'],
  ])('rejects %j with 400: %s %s', async (json, field, code) => {
    const { url: sourceUrl } = await harness.newSource(account);
    const before = await harness.footprint();
    const { status, body } = await harness.createJob(account.key, { sourceUrl, ...json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field, code }] });
    expect(await harness.footprint()).toEqual(before);
  });

  it('names the versions that are served', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const json = { sourceUrl, operation: 'upscale', model: 'upscale@7' };
    const { body } = await harness.createJob(account.key, json);
    expect((body as { detail: string }).detail).toBe(
      'No worker serves upscale@7. Use upscale@1, or omit model.',
    );
  });
});
