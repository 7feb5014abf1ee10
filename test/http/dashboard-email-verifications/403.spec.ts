import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/env.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { mailsTo } from '../../support/mail/outbox.js';

let harness: Harness;
beforeAll(async () => {
  const env = { SMTP_FROM: 'mail@images.example', REQUIRE_VERIFIED_EMAIL: 'on', SIGN_UPS_PER_MINUTE: '1000' };
  harness = await startHarness({ env });
});
afterAll(() => harness.close());

const REFUSED = { status: 403, body: { code: 'email_not_verified' } };
const JOB = { sourceUrl: 'https://images.example/base/api/ai/sources/src_1/file', operation: 'upscale' };

let people = 0;

async function newPerson(): Promise<{ browser: DashboardClient; id: string; email: string }> {
  const browser = new DashboardClient(harness);
  return { browser, ...(await browser.newPerson(`unverified-${(people += 1)}@example.org`)) };
}

async function verify(email: string): Promise<void> {
  const [mail] = await mailsTo(harness, email);
  const token = /\/verify-email#(\S+)/.exec(mail!.text)![1];
  const json = { token };
  const { status } = await new DashboardClient(harness).call('POST', '/email-verifications/complete', {
    json,
  });
  expect(status).toBe(204);
}

describe('a user without a verified email address, where one is required', () => {
  it('can read but cannot change the account until the address is verified', async () => {
    const { browser, email } = await newPerson();
    expect((await browser.call('GET', '/session')).body).toMatchObject({ requiresVerifiedEmail: true });
    for (const path of ['/keys', '/ai/enhance', '/webhooks/endpoints', '/invitations'])
      expect((await browser.call('GET', path)).status, path).toBe(200);
    const changes = [
      ['/keys', { name: 'Mine' }],
      ['/ai/enhance', JOB],
      ['/ai/batches', {}],
      ['/ai/upload', {}],
      ['/webhooks/endpoints', { url: 'https://receiver.example/hook' }],
      ['/invitations', { email: 'grace@example.org', role: 'viewer' }],
    ] as const;
    for (const [path, json] of changes)
      expect(await browser.call('POST', path, { json }), path).toMatchObject(REFUSED);
    expect((await browser.call('DELETE', '/keys/key_unknown')).status).toBe(404);
    await verify(email);
    expect((await browser.call('POST', '/keys', { json: { name: 'Mine' } })).status).toBe(201);
  });

  it('can delete the account', async () => {
    const { browser, id, email } = await newPerson();
    const json = { confirmation: email, password: PASSWORD };
    expect((await browser.call('POST', '/account/delete', { json })).status).toBe(204);
    expect(await harness.rows('SELECT 1 FROM accounts WHERE id = $1', [id])).toEqual([]);
  });

  it('can manage their own verification email, settings, and sessions', async () => {
    const { browser } = await newPerson();
    expect((await browser.call('POST', '/email-verifications', { json: {} })).status).toBe(202);
    expect((await browser.call('PATCH', '/notifications', { json: { quota: false } })).status).toBe(200);
    expect((await browser.call('POST', '/sessions/end-others')).status).toBe(204);
  });

  it('cannot change an organization either, even as its admin', async () => {
    const organization = await harness.createAccount();
    const { browser, id } = await newPerson();
    await harness.accountsOf.addMember(organization.id, id, 'admin');
    const switched = await browser.call('POST', `/organizations/${organization.id}/switch`, { json: {} });
    expect(switched.status, switched.text).toBe(200);
    expect(await browser.call('POST', '/keys', { json: { name: 'Theirs' } })).toMatchObject(REFUSED);
  });
});

describe('REQUIRE_VERIFIED_EMAIL', () => {
  it('is rejected without SMTP_FROM', () => {
    expect(() => readConfig({ REQUIRE_VERIFIED_EMAIL: 'on' })).toThrow(
      /REQUIRE_VERIFIED_EMAIL is on without SMTP_FROM/,
    );
    expect(readConfig({}).requireVerifiedEmail).toBe('off');
  });
});
