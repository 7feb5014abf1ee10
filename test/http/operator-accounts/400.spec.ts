import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import type { Harness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let operator: OperatorClient;
let id: string;
beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
  ({ id } = await harness.createAccount());
});
afterAll(() => harness.close());

describe('400', () => {
  it.each(['limit=0', 'limit=101', 'plan=gold', 'status=gone', 'search=%00', `search=${'x'.repeat(255)}`])(
    'refuses the list with %s',
    async (query) => {
      const { status, body } = await operator.call('GET', `/accounts?${query}`);
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: query.split('=')[0] }] });
    },
  );

  const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');
  it.each([
    'x',
    cursorOf('email'),
    cursorOf("email acc_' OR true"),
    cursorOf(`name ${newId('account')}`),
    cursorOf(`email ${newId('account')} x`),
    // The cursor of an account that no longer exists.
    `${cursorOf(`email ${newId('account')}`)}&search=a`,
  ])('refuses the cursor %s', async (cursor) => {
    const { status, body } = await operator.call('GET', `/accounts?cursor=${cursor}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_cursor' });
  });

  it.each([
    [{}, 'plan'],
    [{ plan: 'gold' }, 'plan'],
    [{ plan: 'enterprise' }, 'limits'],
    [{ plan: 'enterprise', limits: {} }, 'limits'],
    [{ plan: 'free', limits: { rpm: -1 } }, 'limits.rpm'],
    [{ plan: 'free', limits: { rpm: 1.5 } }, 'limits.rpm'],
    [{ plan: 'free', limits: { storageBytes: 1e300 } }, 'limits.storageBytes'],
    [{ plan: 'free', limits: { gpus: 1 } }, 'limits.gpus'],
    [{ plan: 'free', limits: 5 }, 'limits'],
  ])('refuses the plan %j', async (json, field) => {
    const { status, body } = await operator.call('PUT', `/accounts/${id}/plan`, { json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field }] });
    expect(await operator.audited(id)).toEqual([]);
  });

  it.each([{}, { reason: '' }, { reason: '  ' }, { reason: 'x'.repeat(301) }, { reason: 5 }])(
    'refuses to suspend with %j',
    async (json) => {
      const { status, body } = await operator.call('POST', `/accounts/${id}/suspend`, { json });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'reason' }] });
    },
  );

  it('refuses to delete without the right address', async () => {
    for (const json of [{}, { confirmation: '' }, { confirmation: 'nobody@example.org' }]) {
      const { status, body } = await operator.call('POST', `/accounts/${id}/delete`, { json });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'confirmation' }] });
    }
    expect(await harness.rows('SELECT id FROM accounts WHERE id = $1', [id])).toHaveLength(1);
  });
});
