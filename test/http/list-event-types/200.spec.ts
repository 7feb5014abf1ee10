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

describe('GET /api/webhooks/events → 200', () => {
  it('lists every type with its schema and example, and marks aliases', async () => {
    const { status, body } = await harness.call('GET', '/api/webhooks/events', { key: account.key });
    expect(status).toBe(200);
    const { data } = body as {
      data: { type: string; aliasOf: string | null; schema: object; example: object }[];
    };
    expect(Object.fromEntries(data.map(({ type, aliasOf }) => [type, aliasOf]))).toEqual({
      'enhancement.queued': null,
      'enhancement.completed': null,
      'enhancement.failed': null,
      'image.uploaded': null,
      'quota.exceeded': null,
      ping: null,
      'job.completed': 'enhancement.completed',
      'image.completed': 'enhancement.completed',
      'upload.finished': 'image.uploaded',
      'batch.completed': null,
      'batch.item.failed': null,
    });
    for (const { type, schema, example } of data) {
      expect(schema).toMatchObject({ type: 'object', properties: { type: { const: type } } });
      expect(example).toMatchObject({ type, data: expect.any(Object) as unknown });
    }
  });
});
