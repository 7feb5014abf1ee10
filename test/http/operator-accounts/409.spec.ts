import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let operator: OperatorClient;
beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
});
afterAll(() => harness.close());

describe('409 own_account', () => {
  it.each([
    ['suspend', { reason: 'A slip' }],
    ['sign-in-as', { reason: 'A slip' }],
    ['delete', { confirmation: 'me@example.org' }],
  ])("refuses to %s the operator's own account", async (action, json) => {
    const { status, body } = await operator.call('POST', `/accounts/${operator.id}/${action}`, { json });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'own_account' });
    expect(await operator.audited(operator.id)).toEqual([]);
  });
});
