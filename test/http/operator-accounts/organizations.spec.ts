import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  ConsoleAccountDetailDto,
  ConsoleAccountListDto,
} from '../../../src/operator/accounts/console-account.dto.js';
import type { FailingEndpointListDto } from '../../../src/operator/endpoints/failing-endpoint.dto.js';
import type { FailedJobListDto } from '../../../src/operator/failed-jobs/failed-job.dto.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

const NAME = 'Photo Shop';

let harness: Harness;
let operator: OperatorClient;
let organization: TestAccount;
let owner: TestAccount;

beforeAll(async () => {
  harness = await sharedHarness();
  operator = await OperatorClient.start(harness);
  const founder = new DashboardClient(harness);
  owner = await harness.createAccount();
  await founder.signInto(owner);
  const { status, body, text } = await founder.call('POST', '/organizations', { json: { name: NAME } });
  expect(status, text).toBe(201);
  const { id } = (body as { account: { id: string } }).account;
  // The free plan allows one key, but the endpoint below needs a second one.
  await harness.rows(`UPDATE accounts SET plan = 'personal' WHERE id = $1`, [id]);
  const issued = await harness.createKey({ id, key: '', keyId: '' });
  organization = { id, key: issued.key, keyId: issued.id };
});
afterAll(() => harness.close());

describe('an organization that a user created', () => {
  it('is named in the console', async () => {
    const { id } = organization;
    const { data } = await operator.get<ConsoleAccountListDto>(`/accounts?search=${id}`);
    expect(data).toMatchObject([{ id, email: id, name: NAME }]);
    expect(await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`)).toMatchObject({ name: NAME });
    const own = await operator.get<ConsoleAccountDetailDto>(`/accounts/${operator.id}`);
    expect(own.name).toBe(own.email);
  });

  it('shows its owner, who shows it', async () => {
    const { id } = organization;
    const ofUser = await operator.get<ConsoleAccountDetailDto>(`/accounts/${owner.id}`);
    expect(ofUser).toMatchObject({ owner: null, organizations: [{ id, name: NAME, status: 'active' }] });
    expect(await operator.get(`/accounts/${id}`)).toMatchObject({
      owner: { id: owner.id, email: ofUser.email },
      organizations: [],
    });
  });

  it('is suspended with its owner if the operator chooses so, and is resumed separately', async () => {
    const { id } = organization;
    const suspend = (withOrganizations?: boolean) =>
      operator.expect<ConsoleAccountDetailDto>(200, 'POST', `/accounts/${owner.id}/suspend`, {
        reason: 'Spam',
        ...(withOrganizations !== undefined && { withOrganizations }),
      });
    const statusOf = async () => (await harness.call('GET', '/api/usage', { key: organization.key })).status;
    expect(await suspend()).toMatchObject({ status: 'suspended', organizations: [{ id, status: 'active' }] });
    expect(await statusOf()).toBe(200);
    expect(await suspend(true)).toMatchObject({ organizations: [{ id, status: 'suspended' }] });
    expect(await statusOf()).toBe(403);
    await operator.expect(200, 'POST', `/accounts/${owner.id}/resume`);
    expect(await statusOf()).toBe(403);
    await operator.expect(200, 'POST', `/accounts/${id}/resume`);
    expect(await statusOf()).toBe(200);
    const events = await operator.audited(id);
    expect(events.map(({ action }) => action)).toEqual(['account.suspended', 'account.resumed']);
  });

  it('is named with its ID when its owner cannot be deleted', async () => {
    const { email } = await operator.get<ConsoleAccountDetailDto>(`/accounts/${owner.id}`);
    const { status, body } = await operator.call('POST', `/accounts/${owner.id}/delete`, {
      json: { confirmation: email },
    });
    expect({ status, body: body as unknown }).toMatchObject({
      status: 409,
      body: { code: 'owns_organizations', detail: expect.stringContaining(organization.id) as string },
    });
  });

  it('is named next to its failed jobs and failing endpoints', async () => {
    const job = await harness.newJob(organization);
    await harness.jobs.fail(job.id);
    const failed = await operator.get<FailedJobListDto>(`/failed-jobs?account=${organization.id}`);
    expect(failed.data).toMatchObject([{ id: job.id, accountName: NAME }]);
    const endpoint = await harness.newEndpoint(organization);
    await harness.rows('UPDATE webhook_endpoints SET first_failure_at = now() WHERE id = $1', [endpoint.id]);
    const { data } = await operator.get<FailingEndpointListDto>('/failing-endpoints?limit=100');
    expect(data.find(({ id }) => id === endpoint.id)).toMatchObject({ accountName: NAME });
  });

  it('cannot get a password, because nobody signs in to it', async () => {
    const { id } = organization;
    const { status, body } = await operator.call('POST', `/accounts/${id}/reset-password`);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'not_found',
      detail: expect.stringContaining('no password') as string,
    });
    await expect(harness.accountsOf.issueResetToken(id)).rejects.toThrow(`"${NAME}"`);
    expect(await operator.get<ConsoleAccountDetailDto>(`/accounts/${id}`)).toMatchObject({
      hasPassword: false,
    });
    const events = await operator.audited(id);
    expect(events.map(({ action }) => action)).not.toContain('password.reset');
  });

  it('can be deleted by its name', async () => {
    const path = `/accounts/${organization.id}/delete`;
    const refused = await operator.call('POST', path, { json: { confirmation: organization.id } });
    expect(refused.status).toBe(400);
    await operator.expect(204, 'POST', path, { confirmation: ` ${NAME.toLowerCase()} ` });
  });
});
