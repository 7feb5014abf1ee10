import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowProxy } from '../../support/network/flow-proxy.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let proxy: FlowProxy;
let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({
    env: { QUEUE_MAX_PIXELS: '30000' },
    databaseUrl: async (real) => {
      proxy = await FlowProxy.start(real);
      return proxy.databaseUrl;
    },
  });
  account = await harness.createAccount();
});
afterAll(async () => {
  await harness?.close();
  await proxy?.close();
});

describe('POST /api/ai/enhance → 503', () => {
  it('says that the job may have been created when the database fails before its response arrives', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const create = (headers = {}) =>
      harness.createJob(account.key, { sourceUrl, operation: 'upscale' }, headers);
    const before = await harness.footprint();

    proxy.breakBeforeAnswerTo('job_create');
    const unheard = await create();
    expect(unheard.status).toBe(503);
    expect(unheard.body).toMatchObject({
      detail: expect.stringMatching(/may have been carried out\. Check before you retry/) as unknown,
    });
    expect((await harness.footprint()).jobs).toBe(before.jobs + 1);

    const key = { 'idempotency-key': 'a-commit-nobody-heard-of' };
    proxy.breakAfterCommitOf('job_create');
    const committed = await create(key);
    expect(committed.status).toBe(503);
    expect(committed.body).toMatchObject({
      detail: expect.stringMatching(
        /may have been carried out\. Retry with the same Idempotency-Key/,
      ) as unknown,
    });
    const again = await create(key);
    expect(again.status).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await harness.footprint()).jobs).toBe(before.jobs + 2);
  });

  it('says that nothing was changed when the database fails before the key is looked up', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const before = await harness.footprint();
    proxy.breakBefore('principal');
    const { status, body } = await harness.createJob(account.key, { sourceUrl, operation: 'upscale' });
    expect(status).toBe(503);
    expect(body).toMatchObject({ detail: expect.stringMatching(/Nothing was changed/) as unknown });
    expect(await harness.footprint()).toEqual(before);
  });

  it('when the queue is full: nothing is created or charged, and Retry-After is set', async () => {
    const { url } = await harness.newSource(account, await photo(100, 100, 'jpeg'));
    const create = () => harness.createJob(account.key, { sourceUrl: url, operation: 'upscale' });
    for (const _ of [1, 2, 3]) expect((await create()).status).toBe(201);
    const before = await harness.footprint();
    const { status, body, headers } = await create();
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'service_unavailable' });
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect(await harness.footprint()).toEqual(before);
  });
});
