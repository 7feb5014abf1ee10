import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsoleAccountDetailDto } from '../../../src/operator/accounts/console-account.dto.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
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

async function linkedAccount(): Promise<string> {
  const { id } = await harness.createAccount();
  await harness.rows(
    `INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ('https://id.example', $1, $1)`,
    [id],
  );
  return id;
}

const notices = (accountId: string) =>
  harness.rows(
    `SELECT kind, data FROM account_notices WHERE account_id = $1 AND data ->> 'change' LIKE 'identity%'`,
    [accountId],
  );

describe('POST /operator/api/accounts/{id}/unlink-identity', () => {
  it('unlinks an identity, records it, and notifies the user', async () => {
    const id = await linkedAccount();
    await new DashboardClient(harness).signInto({ id, key: '', keyId: '' });
    const { identities } = await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`);
    expect(identities).toMatchObject([{ issuer: 'https://id.example', subject: id }]);
    const identityId = identities[0]!.id;
    const json = { identityId };
    const after = await operator.expect<ConsoleAccountDetailDto>(
      200,
      'POST',
      `/accounts/${id}/unlink-identity`,
      json,
    );
    expect(after.identities).toEqual([]);
    expect(await operator.audited(id)).toEqual([
      { action: 'identity.unlinked', details: { issuer: 'https://id.example' } },
    ]);
    expect(await notices(id)).toEqual([
      { kind: 'sign_in_changed', data: { change: 'identity_unlinked_by_operator' } },
    ]);
    const again = await operator.call('POST', `/accounts/${id}/unlink-identity`, { json });
    expect(again.status).toBe(404);
  });

  it('keeps the only way to sign in', async () => {
    const id = await linkedAccount();
    const { identities } = await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`);
    const answer = await operator.call('POST', `/accounts/${id}/unlink-identity`, {
      json: { identityId: identities[0]!.id },
    });
    expect(answer.body).toMatchObject({ status: 409, code: 'only_sign_in' });
    expect((await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`)).identities).toEqual(identities);
    expect(await notices(id)).toEqual([]);
  });

  it('does not count a temporary password that has expired as a way to sign in', async () => {
    const id = await linkedAccount();
    await operator.expect(200, 'POST', `/accounts/${id}/reset-password`);
    const { identities } = await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`);
    const json = { identityId: identities[0]!.id };
    const expire = (at: string) =>
      harness.rows(`UPDATE accounts SET password_expires_at = ${at} WHERE id = $1`, [id]);
    await expire(`now() - interval '1 minute'`);
    const refused = await operator.call('POST', `/accounts/${id}/unlink-identity`, { json });
    expect(refused.body).toMatchObject({ status: 409, code: 'only_sign_in' });
    await expire(`now() + interval '1 hour'`);
    await operator.expect(200, 'POST', `/accounts/${id}/unlink-identity`, json);
  });
});
