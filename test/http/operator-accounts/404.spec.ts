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

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly json?: object;
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '' },
  { method: 'PUT', path: '/plan', json: { plan: 'free' } },
  { method: 'POST', path: '/suspend', json: { reason: 'Abuse' } },
  { method: 'POST', path: '/resume' },
  { method: 'POST', path: '/reset-password' },
  { method: 'POST', path: '/reset-two-factor' },
  { method: 'POST', path: '/unlink-identity', json: { identityId: 'x' } },
  { method: 'POST', path: '/sign-out' },
  { method: 'POST', path: '/sign-in-as', json: { reason: 'Support' } },
  { method: 'POST', path: '/delete', json: { confirmation: 'nobody@example.org' } },
];

describe.each(ROUTES)('404 $method /operator/api/accounts/{id}$path', ({ method, path, json }) => {
  it('does not find unknown accounts, or test mode as an account of its own', async () => {
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
