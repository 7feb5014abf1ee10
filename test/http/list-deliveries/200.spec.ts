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

interface Page {
  readonly data: readonly { readonly id: string; readonly attempts: readonly object[] }[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null;
}

const list = async (query = '', key = account.key) => {
  const answer = await harness.call('GET', `/api/webhooks/deliveries?${query}`, { key });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Page;
};
const idsOf = ({ data }: Page) => data.map(({ id }) => id);

describe('GET /api/webhooks/deliveries → 200', () => {
  it('lists the newest first, page by page, by endpoint, type, and status, with every attempt', async () => {
    const [a, b] = [await harness.newEndpoint(account), await harness.newEndpoint(account)];
    const made = [a, b, a, b, a];
    const ids: string[] = [];
    for (const { id } of made) {
      ids.unshift((await harness.newDelivery(account, id)).id);
      // IDs within one millisecond are not ordered.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(idsOf(await list())).toEqual(ids);
    const first = await list('limit=2');
    expect(first.hasMore).toBe(true);
    expect(idsOf(await list(`limit=10&cursor=${first.nextCursor}`))).toEqual(ids.slice(2));
    expect(idsOf(await list(`endpointId=${b.id}`))).toEqual([ids[1], ids[3]]);
    expect(idsOf(await list('eventType=ping'))).toEqual(ids);
    expect(idsOf(await list('eventType=job.completed'))).toEqual([]);
    await harness.rows(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL, due_at = NULL, attempt_count = 2
        WHERE id = $1`,
      [ids[0]],
    );
    await harness.rows(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_body, error)
       VALUES ($1, 2, now(), 7, 500, 'oops', NULL), ($1, 1, now(), 5, NULL, NULL, 'The connection was refused.')`,
      [ids[0]],
    );
    expect(idsOf(await list('status=pending'))).toEqual(ids.slice(1));
    const failed = await list('status=failed');
    expect(failed.data[0]!.attempts).toMatchObject([
      { number: 1, responseStatus: null, error: 'The connection was refused.' },
      { number: 2, responseStatus: 500, responseBody: 'oops', durationMs: 7 },
    ]);
  });

  it('shows none of other accounts', async () => {
    const stranger = await harness.createAccount();
    expect(await list('', stranger.key)).toEqual({ data: [], hasMore: false, nextCursor: null });
    const { id } = await harness.newEndpoint(account);
    await harness.newDelivery(account, id);
    expect(idsOf(await list(`endpointId=${id}`, stranger.key))).toEqual([]);
  });
});
