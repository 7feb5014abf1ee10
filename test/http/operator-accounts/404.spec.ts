import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/kernel/ids.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
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

const ROUTES = [
  ['GET', ''],
  ['PUT', '/plan', { plan: 'free' }],
  ['POST', '/suspend', { reason: 'Abuse' }],
  ['POST', '/resume'],
  ['POST', '/reset-password'],
  ['POST', '/sign-out'],
  ['POST', '/sign-in-as', { reason: 'Support' }],
  ['POST', '/delete', { confirmation: 'nobody@example.org' }],
] as const;

describe.each(ROUTES)('404 %s /operator/api/accounts/{id}%s', (method, path, json) => {
  it('knows no such account, and no test mode as an account of its own', async () => {
    const account = await harness.createAccount();
    await harness.createKey(account, { livemode: false });
    for (const id of [newId('account'), testAccountOf(account.id), 'acc_', "acc_'"]) {
      const answer = await operator.call(
        method,
        `/accounts/${id}${path}`,
        json === undefined ? {} : { json },
      );
      expect(answer.status, answer.text).toBe(404);
      expect(answer.body).toMatchObject({ detail: `There is no account "${id}".` });
    }
  });
});
