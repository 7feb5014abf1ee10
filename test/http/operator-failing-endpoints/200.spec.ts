import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { FailingEndpointListDto } from '../../../src/operator/endpoints/failing-endpoint.dto.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';

let harness: Harness;
let operator: OperatorClient;
let account: TestAccount;
/** Needs its own database: it lists the endpoints of all accounts. */
beforeAll(async () => {
  harness = await startHarness();
  operator = await OperatorClient.start(harness);
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const list = (query = ''): Promise<FailingEndpointListDto> => operator.get(`/failing-endpoints?${query}`);
const ids = async (query = '') => (await list(query)).data.map(({ id }) => id);

/** An endpoint that has been failing since then. */
async function failing(
  minutesAgo: number,
  url = 'https://receiver.example/hook?token=secret',
): Promise<string> {
  const { id } = await harness.newEndpoint(account, { url });
  await harness.rows(
    `UPDATE webhook_endpoints SET first_failure_at = now() - $2::int * interval '1 minute', last_failure_at = now()
      WHERE id = $1`,
    [id, minutesAgo],
  );
  return id;
}

describe('GET /operator/api/failing-endpoints', () => {
  it('lists endpoints whose last attempt failed, with the last error but without secrets in URLs', async () => {
    const fine = (await harness.newEndpoint(account)).id;
    const [old, recent, third] = [await failing(50), await failing(5), await failing(20)];
    const { id: delivery } = await harness.newDelivery(account, recent);
    await harness.rows(
      `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_status, response_body)
       VALUES ($1, 1, now() - interval '1 minute', 5, NULL, NULL), ($1, 2, now(), 5, 503, 'private words')`,
      [delivery],
    );
    expect(await ids()).toEqual([recent, third, old]);
    expect(await ids()).not.toContain(fine);
    const { data } = await list();
    expect(data[0]).toMatchObject({
      accountId: account.id,
      origin: 'https://receiver.example',
      enabled: true,
      pending: 1,
      lastError: { responseStatus: 503, error: null },
    });
    expect(data[1]).toMatchObject({ lastError: null, pending: 0 });
    expect(JSON.stringify(data)).not.toMatch(/secret|private words|hook/);
    const pages: string[] = [];
    for (let query = 'limit=1'; ;) {
      const page = await list(query);
      pages.push(...page.data.map(({ id }) => id));
      if (page.nextCursor === null) break;
      query = `limit=1&cursor=${page.nextCursor}`;
    }
    expect(pages).toEqual([recent, third, old]);
  });

  it.each(['x', Buffer.from('1 job_1').toString('base64url'), Buffer.from("1 we_'").toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      const { status, body } = await operator.call('GET', `/failing-endpoints?cursor=${cursor}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_cursor' });
    },
  );
});

describe('POST /operator/api/failing-endpoints/{id}/disable and enable', () => {
  it('switches an endpoint off and on, and records it for the customer', async () => {
    const id = await failing(1);
    await harness.newDelivery(account, id);
    const path = `/failing-endpoints/${id}`;
    for (let round = 0; round < 2; round += 1)
      expect(await operator.expect(200, 'POST', `${path}/disable`)).toEqual({ id, enabled: false });
    expect(await ids('state=disabled')).toEqual([id]);
    expect((await list('state=disabled')).data[0]).toMatchObject({ disabledReason: 'manual', pending: 0 });
    expect(await operator.expect(200, 'POST', `${path}/enable`)).toEqual({ id, enabled: true });
    expect(await ids()).not.toContain(id);
    const events = (await operator.audited(account.id)).filter(({ action }) => action.startsWith('endpoint'));
    expect(events).toEqual([
      { action: 'endpoint.disabled', details: { reason: 'operator', changed: ['enabled'] } },
      { action: 'endpoint.updated', details: { changed: ['enabled'] } },
    ]);
    const unknown = await operator.call('POST', `/failing-endpoints/${newId('webhookEndpoint')}/disable`);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toMatchObject({
      detail: expect.stringContaining('There is no webhook endpoint') as string,
    });
  });
});
