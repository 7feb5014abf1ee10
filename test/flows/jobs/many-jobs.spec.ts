import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { meanColor, readPicture } from '../../support/images/flow-picture.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

describe('concurrent requests', () => {
  let service: SharedService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await SharedService.join();
    client = await service.client();
  });
  afterAll(() => service?.close());

  it('give ten jobs on one worker the result of their own source each', async () => {
    // Gray contains no skin; two sizes, since batches mix them.
    const shades = Array.from({ length: 10 }, (_, index) => 20 + index * 23);
    const sources = await Promise.all(
      shades.map(async (shade, index) => {
        const edge = index % 2 === 0 ? 24 : 40;
        return client.upload(await solidFile(edge, edge, [shade, shade, shade]));
      }),
    );
    const operations = ['upscale', 'smooth_skin'];
    const results = await Promise.all(
      sources.map(({ url }, index) => client.enhanceSource(url, { operation: operations[index % 2]! })),
    );
    for (const [index, { bytes }] of results.entries()) {
      const [red] = meanColor(await readPicture(bytes));
      expect(Math.abs(red - shades[index]!), `job ${index}`).toBeLessThan(3);
    }
    expect((await client.usage()).enhancements.used).toBe(10);
  });

  it('with the same Idempotency-Key create one job and one charge', async () => {
    const { url } = await client.upload(await solidFile(16, 16, [10, 20, 30]));
    const before = (await client.usage()).enhancements.used;
    const body = { sourceUrl: url, operation: 'smooth_skin', metadata: { order: 'A-17' } };
    /** Retries after 409, as a client should: the first request with this key is still running. */
    const ask = () =>
      eventually('an answer other than 409', async () => {
        const answer = await client.request('POST', '/api/ai/enhance', body, { 'idempotency-key': 'one' });
        return answer.status === 409 ? { seen: answer.json } : { found: answer };
      });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    const ids = new Set(answers.map(({ json }) => json['id']));
    expect(ids.size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(replayed).toHaveLength(19);
    const [id] = [...ids] as [string];
    await client.completed(id);
    expect((await client.usage()).enhancements.used).toBe(before + 1);
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    expect(await service.database.rows(`SELECT id FROM jobs WHERE metadata->>'order' = 'A-17'`)).toEqual([
      { id },
    ]);
  });

  it('for the last enhancements of a quota succeed exactly as often as the quota allows', async () => {
    const poor = await service.client({ enhancements: 3 });
    const { url } = await poor.upload(await solidFile(16, 16, [10, 20, 30]));
    const body = { sourceUrl: url, operation: 'smooth_skin' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => poor.request('POST', '/api/ai/enhance', body)),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(3);
    for (const { status, json } of answers.filter((answer) => !made.includes(answer))) {
      expect(status).toBe(403);
      expect(json).toMatchObject({ code: 'quota_exceeded', quota: 'enhancements', limit: 3 });
    }
    for (const { json } of made) await poor.completed(json['id'] as string);
    expect((await poor.usage()).enhancements).toMatchObject({ used: 3, remaining: 0 });
  });
});
