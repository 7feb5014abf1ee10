import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { type Member, newMember } from '../../support/app/members.js';
import { newResult } from '../../support/app/results.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let other: TestAccount;
let member: Member;
let organization: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  [organization, other] = [await harness.createAccount(), await harness.createAccount()];
  member = await newMember(harness, organization, 'owner');
});
afterAll(() => harness.close());

describe('404', () => {
  it('a member of one organization cannot reach anything in another', async () => {
    const { browser } = member;
    const [source, job] = [await harness.newSource(other), await harness.newJob(other)];
    const [batch, endpoint] = [await harness.newBatch(other), await harness.newEndpoint(other)];
    const delivery = await harness.newDelivery(other, endpoint.id);
    const colleague = await newMember(harness, other, 'viewer');
    await harness.newPreset(other);
    const result = await newResult(harness, other);
    const owner = new DashboardClient(harness);
    await owner.signInto(other);
    const shared = { jobId: result.id, expiresIn: 3_600 };
    const link = (await owner.call('POST', '/ai/share-links', { json: shared })).body as { id: string };
    const before = await harness.footprint();
    const paths: readonly (readonly [string, string, object?])[] = [
      ['GET', `/ai/sources/${source.id}`],
      ['DELETE', `/ai/sources/${source.id}`],
      ['GET', `/ai/enhance/${job.id}`],
      ['GET', `/ai/enhance/${job.id}/events`],
      ['POST', `/ai/enhance/${job.id}/cancel`, {}],
      ['POST', `/ai/enhance/${job.id}/run-again`, {}],
      ['DELETE', `/ai/enhance/${job.id}`],
      ['GET', `/ai/batches/${batch.id}`],
      ['GET', `/ai/batches/${batch.id}/jobs`],
      ['POST', `/ai/batches/${batch.id}/cancel`, {}],
      ['POST', '/ai/share-links', shared],
      ['DELETE', `/ai/share-links/${link.id}`],
      ['GET', `/webhooks/endpoints/${endpoint.id}`],
      ['DELETE', `/webhooks/endpoints/${endpoint.id}`],
      ['GET', `/webhooks/deliveries/${delivery.id}`],
      ['PATCH', `/keys/${other.keyId}`, { name: 'Mine' }],
      ['DELETE', `/ai/presets/mine`],
      ['PATCH', `/members/${colleague.id}`, { role: 'viewer' }],
      ['DELETE', `/members/${colleague.id}`],
      ['POST', `/organizations/${other.id}/switch`, {}],
    ];
    for (const [method, path, json] of paths) {
      const { status } = await browser.call(method, path, json === undefined ? {} : { json });
      expect({ method, path, status }).toEqual({ method, path, status: 404 });
    }
    for (const path of [
      '/ai/sources',
      '/ai/enhance',
      '/ai/batches',
      '/ai/share-links',
      '/webhooks/endpoints',
    ])
      expect((await browser.call('GET', path)).body, path).toMatchObject({ data: [] });
    expect(await harness.footprint()).toEqual(before);
  });

  it('one organization cannot be reached from another organization of the same user', async () => {
    const own = await harness.createAccount();
    const source = await harness.newSource(own);
    await harness.accountsOf.addMember(organization.id, own.id, 'owner');
    const browser = new DashboardClient(harness);
    await browser.signInto(own);
    expect((await browser.call('GET', `/ai/sources/${source.id}`)).status).toBe(200);
    await browser.call('POST', `/organizations/${organization.id}/switch`, { json: {} });
    expect((await browser.call('GET', `/ai/sources/${source.id}`)).status).toBe(404);
  });

  it('an API key of a member belongs to their own account', async () => {
    const own = await harness.createAccount();
    await harness.accountsOf.addMember(organization.id, own.id, 'owner');
    const source = await harness.newSource(organization);
    expect((await harness.call('GET', `/api/ai/sources/${source.id}`, { key: own.key })).status).toBe(404);
  });
});
