import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { KEY_ROUTES } from '../../support/app/routes.js';

const NEW_PASSWORD = 'another cow jumped over the sun';
const AGENT = 'Audited/1.0';

interface Case {
  /** The action that the route must record; the rest of the event follows from the route. */
  readonly action: string;
  readonly json?: (email: string) => Readonly<Record<string, unknown>>;
  readonly status: number;
}

/** Every dashboard route that changes who may do what. Account routes come last because they end the session. */
const AUDITED: Readonly<Record<string, Case>> = {
  'POST /keys': { action: 'key.created', json: () => ({ name: 'Laptop' }), status: 201 },
  'PATCH /keys/{id}': { action: 'key.updated', json: () => ({ name: 'Desk' }), status: 200 },
  'POST /keys/{id}/rotate': { action: 'key.rotated', json: () => ({ overlapSeconds: 60 }), status: 201 },
  'DELETE /keys/{id}': { action: 'key.revoked', status: 204 },
  'POST /webhooks/endpoints': {
    action: 'endpoint.created',
    json: () => ({ url: 'https://receiver.example/hook' }),
    status: 201,
  },
  'PATCH /webhooks/endpoints/{id}': {
    action: 'endpoint.updated',
    json: () => ({ description: 'Production' }),
    status: 200,
  },
  'POST /webhooks/endpoints/{id}/rotate-secret': {
    action: 'endpoint.secret_rotated',
    json: () => ({}),
    status: 200,
  },
  'DELETE /webhooks/endpoints/{id}': { action: 'endpoint.deleted', status: 204 },
  'PUT /ai/presets/{name}': {
    action: 'preset.created',
    json: () => ({ operations: [{ operation: 'upscale' }] }),
    status: 201,
  },
  'DELETE /ai/presets/{name}': { action: 'preset.deleted', status: 204 },
  'POST /account/password': {
    action: 'password.changed',
    json: () => ({ currentPassword: PASSWORD, newPassword: NEW_PASSWORD }),
    status: 200,
  },
  'POST /sign-out': { action: 'sign_out', json: () => ({}), status: 204 },
  'POST /sign-in': {
    action: 'sign_in.succeeded',
    json: (email) => ({ email, password: NEW_PASSWORD }),
    status: 200,
  },
  'POST /sign-up': {
    action: 'account.sign_up_repeated',
    json: (email) => ({ email, password: PASSWORD }),
    status: 202,
  },
};

/** Its row no longer names anyone; see audit.spec.ts. */
const ERASING = ['POST /account/delete'];

/** See dashboard-sessions/204.spec.ts. */
const SESSIONS = ['POST /sessions/end-others', 'DELETE /sessions/{id}'];

/** See dashboard-two-factor/200.spec.ts. */
const TWO_FACTOR = [
  'POST /sign-in/two-factor',
  'POST /two-factor/setup',
  'POST /two-factor/enable',
  'POST /two-factor/recovery-codes',
  'POST /two-factor/disable',
];

/** See dashboard-passkeys/200.spec.ts. */
const PASSKEYS = [
  'POST /sign-in/passkey/options',
  'POST /sign-in/passkey',
  'POST /passkeys/options',
  'POST /passkeys',
  'PATCH /passkeys/{id}',
  'DELETE /passkeys/{id}',
];

/** See dashboard-identities/200.spec.ts. */
const IDENTITIES = ['POST /identities/{id}/unlink'];

/** Actions of members, see dashboard-members/200.spec.ts. */
const MEMBERS = [
  'POST /organizations',
  'POST /organizations/{id}/switch',
  'POST /members/leave',
  'PATCH /members/{id}',
  'DELETE /members/{id}',
];

/** See dashboard-invitations. */
const INVITATIONS = [
  'POST /invitations',
  'POST /invitations/{id}/renew',
  'DELETE /invitations/{id}',
  'POST /invitation/preview',
  'POST /invitation/accept',
];

/** See dashboard-plan-requests. */
const PLAN_REQUESTS = ['POST /plan-requests', 'POST /plan-requests/{id}/cancel'];

/** See dashboard-share-links. */
const SHARE_LINKS = ['POST /ai/share-links', 'DELETE /ai/share-links/{id}'];

/** See dashboard-password-resets/204.spec.ts. */
const RESETS = ['POST /password-resets', 'POST /password-resets/complete'];

/** See dashboard-email-verifications/204.spec.ts. */
const VERIFICATIONS = ['POST /email-verifications', 'POST /email-verifications/complete'];

/** See dashboard-email-changes. */
const EMAIL_CHANGES = [
  'POST /email-changes',
  'POST /email-changes/pending/send-again',
  'DELETE /email-changes/pending',
  'POST /email-changes/preview',
  'POST /email-changes/complete',
];

/** Photos, jobs, deliveries, and links of downloads: the use of the service, which has its own lists. */
const USE = [
  'POST /account/export',
  'POST /ai/upload',
  'DELETE /ai/sources/{id}',
  'POST /ai/enhance',
  'POST /ai/enhance/{id}/cancel',
  'POST /ai/enhance/{id}/run-again',
  'DELETE /ai/enhance/{id}',
  'POST /ai/batches',
  'POST /ai/batches/{id}/cancel',
  'POST /ai/batches/{id}/retry',
  'PATCH /notifications',
  'POST /webhooks/endpoints/{id}/ping',
  'POST /webhooks/endpoints/{id}/recover',
  'POST /webhooks/deliveries/{id}/redeliver',
];

let harness: Harness;
beforeAll(async () => {
  const SIGN_IN_ATTEMPTS_PER_MINUTE = '1000';
  harness = await startHarness({ env: { SIGN_UPS_PER_MINUTE: '1000', SIGN_IN_ATTEMPTS_PER_MINUTE } });
});
afterAll(() => harness.close());

interface Row extends Record<string, unknown> {
  readonly id: string;
}

const events = (accountId: string, after: string) =>
  harness.rows<Row>('SELECT * FROM audit_events WHERE account_id = $1 AND id > $2 ORDER BY id', [
    accountId,
    after,
  ]);
const newest = async (): Promise<string> =>
  (await harness.rows<Row>('SELECT coalesce(max(id), 0) AS id FROM audit_events'))[0]!.id;

describe('every change through the dashboard', () => {
  it('is classified as audited or not', () => {
    const changing = DASHBOARD_ROUTES.filter(({ method }) => method !== 'GET');
    const names = changing.map(({ method, path }) => `${method} ${path.replace('/dashboard/api', '')}`);
    const settings = [
      ...ERASING,
      ...IDENTITIES,
      ...INVITATIONS,
      ...MEMBERS,
      ...PASSKEYS,
      ...PLAN_REQUESTS,
      ...RESETS,
      ...SESSIONS,
      ...SHARE_LINKS,
      ...TWO_FACTOR,
    ];
    const known = [...Object.keys(AUDITED), ...settings, ...USE, ...VERIFICATIONS, ...EMAIL_CHANGES];
    expect(known.toSorted()).toEqual(names.toSorted());
  });

  it('records one event with who, from where, and when', async () => {
    const browser = new DashboardClient(harness);
    const account = await harness.createAccount();
    const { id: accountId, email } = await browser.signInto(account);
    const ids: Record<string, string> = {};
    for (const [route, { action, json, status }] of Object.entries(AUDITED)) {
      const [method, pattern] = route.split(' ') as [string, string];
      const noun = pattern.split('/{id}')[0]!;
      const path = pattern.replace('{id}', ids[noun] ?? '').replace('{name}', 'mine');
      const before = await newest();
      const answer = await browser.call(method, path, {
        ...(json !== undefined && { json: json(email) }),
        headers: { 'user-agent': AGENT },
      });
      expect(answer.status, `${route}: ${answer.text}`).toBe(status);
      if (status === 201 && pattern === noun) ids[noun] = (answer.body as { id: string }).id;
      const rows = await events(accountId, before);
      expect(
        rows.map((row) => row['action']),
        route,
      ).toEqual([action]);
      expect(rows[0], route).toMatchObject({
        actor_kind: 'person',
        address: '127.0.0.1',
        user_agent: AGENT,
        target_id: pattern.includes('{name}') ? 'mine' : (ids[noun] ?? null),
      });
      expect(Math.abs((rows[0]!['created_at'] as Date).getTime() - Date.now()), route).toBeLessThan(60_000);
    }
  });

  it('records nothing when it changes nothing or is refused', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(await harness.createAccount());
    const json = { name: 'Laptop', expiresAt: '2999-01-01T00:00:00Z', allowedIps: ['192.0.2.7'] };
    const { id } = (await browser.call('POST', '/keys', { json })).body as { id: string };
    const before = await newest();
    const same = await browser.call('PATCH', `/keys/${id}`, { json });
    expect(same.status, same.text).toBe(200);
    expect((await browser.call('PATCH', `/keys/${id}`, { json: { name: '' } })).status).toBe(400);
    expect((await browser.call('PATCH', '/keys/key_1', { json })).status).toBe(404);
    expect(await newest()).toBe(before);
  });

  it('names only the fields that changed', async () => {
    const browser = new DashboardClient(harness);
    const { id: accountId } = await browser.signInto(await harness.createAccount());
    const json = { name: 'Laptop', scopes: ['ai:enhance'], allowedIps: ['192.0.2.7'] };
    const { id } = (await browser.call('POST', '/keys', { json })).body as { id: string };
    const before = await newest();
    await browser.call('PATCH', `/keys/${id}`, { json: { ...json, allowedIps: [] } });
    await browser.call('PATCH', `/keys/${id}`, { json: { ...json, name: 'Desk', allowedIps: [] } });
    const rows = await events(accountId, before);
    expect(rows.map(({ details }) => details)).toEqual([
      { name: 'Laptop', changed: ['allowedIps'] },
      { name: 'Laptop', changed: ['name'], newName: 'Desk' },
    ]);
  });
});

/** The changes that a key may make, in an order in which each finds what it needs. */
const BY_KEY: readonly (readonly [method: string, path: string, action: string, json?: object])[] = [
  ['POST', '/api/webhooks/endpoints', 'endpoint.created', { url: 'https://receiver.example/hook' }],
  ['PATCH', '/api/webhooks/endpoints/{id}', 'endpoint.disabled', { enabled: false }],
  ['POST', '/api/webhooks/endpoints/{id}/rotate-secret', 'endpoint.secret_rotated', {}],
  ['DELETE', '/api/webhooks/endpoints/{id}', 'endpoint.deleted'],
  ['PUT', '/api/ai/presets/{name}', 'preset.created', { operations: [{ operation: 'upscale' }] }],
  ['DELETE', '/api/ai/presets/{name}', 'preset.deleted'],
];

describe('every change with an API key', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await harness.createAccount();
  });

  it('is listed in this spec', () => {
    const known = new Set(BY_KEY.map(([method, path]) => `${method} ${path}`));
    const settings = KEY_ROUTES.filter(
      ({ method, path }) =>
        method !== 'GET' && /^\/api\/(?:webhooks\/endpoints|ai\/presets|keys|account)/.test(path),
    ).map(({ method, path }) => `${method} ${path}`);
    expect(settings.filter((route) => !known.has(route) && !/\/(?:ping|recover)$/.test(route))).toEqual([]);
    expect([...known].filter((route) => !settings.includes(route))).toEqual([]);
  });

  it('records one event that names the key', async () => {
    let id = '';
    for (const [method, pattern, action, json] of BY_KEY) {
      const before = await newest();
      const path = pattern.replace('{id}', id).replace('{name}', 'mine');
      const answer = await harness.call(method, path, {
        key: account.key,
        ...(json !== undefined && { json }),
        headers: { 'user-agent': AGENT },
      });
      expect(answer.status, answer.text).toBeLessThan(300);
      id = id === '' ? (answer.body as { id: string }).id : id;
      const rows = await events(account.id, before);
      expect(
        rows.map((row) => row['action']),
        pattern,
      ).toEqual([action]);
      expect(rows[0], pattern).toMatchObject({
        actor_kind: 'key',
        actor_id: account.keyId,
        target_id: pattern.includes('{name}') ? 'mine' : id,
        address: '127.0.0.1',
        user_agent: AGENT,
      });
    }
  });
});
