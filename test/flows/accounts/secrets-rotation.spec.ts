import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEY_WATCH_MS } from '../../../src/config/secrets/key-sources.js';
import { loadSecrets, prepublishKey } from '../../../src/config/secrets/secrets.js';
import { SecretBox } from '../../../src/infra/sealing/secret-box.js';
import { newId } from '../../../src/kernel/ids.js';
import { ageRotation, keyListsDuring } from '../../support/admin/rotated-keys.js';
import type { FlowAccount } from '../../support/roles/flow-account.js';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { photo } from '../../support/images/images.js';

interface Row extends Record<string, unknown> {
  readonly kind: string;
}

describe('npm run admin -- secrets', () => {
  let service: FlowService;
  let account: FlowAccount;
  beforeAll(async () => {
    await ensureFlowBuild();
    // The keys are in DATA_DIR, as in an installation that sets none.
    service = await FlowService.start({ roles: ['api'], env: { URL_SIGNING_KEY: '' } });
    ({ account } = await service.client());
    await service.database.rows(`UPDATE api_keys SET scopes = scopes || '{webhook:manage}'`);
  });
  afterAll(() => service?.close());

  function start(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const variables = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir, ...env };
    return spawn(process.execPath, [builtProgram('main.admin.js'), 'secrets', ...words, '--json'], {
      env: flowEnvironment(variables),
    });
  }

  async function secrets(
    words: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number; output: string; rows: Row[] }> {
    const child = start(words, env);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output, rows: code === 0 ? (JSON.parse(output) as Row[]) : [] };
  }

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
    const response = await fetch(`${service.baseUrl}${path}`, {
      method,
      headers: { 'x-api-key': account.key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }

  const newEndpoint = (idempotencyKey: string) =>
    call(
      'POST',
      '/api/webhooks/endpoints',
      { url: 'https://receiver.example/hook' },
      {
        'idempotency-key': idempotencyKey,
      },
    );

  async function upload(): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await photo(48, 32, 'jpeg'))]), 'photo.jpg');
    const headers = { 'x-api-key': account.key };
    const answer = await fetch(`${service.baseUrl}/api/ai/upload`, { method: 'POST', headers, body: form });
    return ((await answer.json()) as { url: string }).url;
  }

  /** Fills the table as if the installation had run for long. */
  async function sealMany(count: number): Promise<void> {
    const { sealingKeys } = await loadSecrets(service.dataDir);
    const box = new SecretBox(sealingKeys.at(-1)!);
    const ids = Array.from({ length: count }, () => newId('webhookEndpoint'));
    await service.database.rows(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, sealed_secret, previous_secrets,
         created_at, updated_at)
       SELECT id, $1, 'https://receiver.example/hook', '{*}', '{}', true, sealed, '[]', now(), now()
         FROM unnest($2::text[], $3::bytea[]) AS t (id, sealed)`,
      [account.accountId, ids, ids.map((id) => box.seal(`secret of ${id}`, id))],
    );
  }

  /** A mail that no dispatcher has sent yet. @returns its id */
  async function waitingMail(content: string): Promise<string> {
    const { sealingKeys } = await loadSecrets(service.dataDir);
    const id = newId('mail');
    await service.database.rows(
      `INSERT INTO mails (id, account_id, kind, recipient, sealed_content, status, due_at)
       VALUES ($1, $2, 'password_changed', 'ada@example.org', $3, 'pending', now())`,
      [id, account.accountId, new SecretBox(sealingKeys).seal(content, id)],
    );
    return id;
  }

  async function sealedWithNewest(): Promise<number> {
    const { sealingKeys } = await loadSecrets(service.dataDir);
    const box = new SecretBox(sealingKeys);
    const rows = await service.database.rows<{ id: string; sealed_secret: Buffer }>(
      'SELECT id, sealed_secret FROM webhook_endpoints',
    );
    return rows.filter(({ id, sealed_secret: sealed }) => box.keyIndex(sealed, id) === 0).length;
  }

  it('replace both keys of a running service, which picks them up without a restart', async () => {
    const before = await loadSecrets(service.dataDir);
    const oldUrl = await upload();
    const first = await newEndpoint('one');
    expect((await call('POST', `/api/webhooks/endpoints/${first.body['id']}/rotate-secret`, {})).status).toBe(
      200,
    );

    const mailId = await waitingMail('Hello, Ada');

    const rotating = secrets(['rotate']);
    const seen = await keyListsDuring(service.dataDir, rotating);
    const rotated = await rotating;
    expect(rotated.code, rotated.output).toBe(0);
    expect(rotated.rows).toEqual([
      expect.objectContaining({
        kind: 'signing',
        olderKeys: expect.stringMatching(/are valid until 20/) as string,
      }),
      // The endpoint with its previous secret, the response stored for the idempotency key, and the mail.
      expect.objectContaining({ kind: 'sealing', resealedRows: 3, unreadableSecrets: 0 }),
    ]);
    const after = await loadSecrets(service.dataDir);
    expect(after.urlSigningKeys).toEqual([expect.any(String), ...before.urlSigningKeys]);
    expect(after.sealingKeys).toEqual([expect.any(String), ...before.sealingKeys]);
    // Every process accepts the new key before the first one uses it.
    const [newest, oldest] = after.urlSigningKeys;
    expect(seen.map(({ keys }) => keys)).toEqual([[oldest], [oldest, newest], [newest, oldest]]);
    expect(seen[2]!.atMs - seen[1]!.atMs).toBeGreaterThan(2 * KEY_WATCH_MS);
    expect((await stat(join(service.dataDir, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(rotated.output).not.toContain(after.sealingKeys[0]);

    const [mail] = await service.database.rows<{ sealed: Buffer }>(
      'SELECT sealed_content AS sealed FROM mails WHERE id = $1',
      [mailId],
    );
    expect(new SecretBox(after.sealingKeys[0]!).open(mail!.sealed, mailId)).toBe('Hello, Ada');

    const newUrl = await upload();
    for (const url of [oldUrl, newUrl]) expect((await fetch(url)).status).toBe(200);
    expect((await newEndpoint('one')).body['secret']).toBe(first.body['secret']);
    expect((await newEndpoint('two')).status).toBe(201);
    expect((await secrets(['status', 'sealing'])).rows).toEqual([
      expect.objectContaining({
        keys: [
          expect.objectContaining({ role: 'newest', sealedSecrets: 6 }),
          expect.objectContaining({ role: 'older', sealedSecrets: 0 }),
        ],
      }),
    ]);
  });

  it('add no second key while a rotation is in progress', async () => {
    const before = await loadSecrets(service.dataDir);
    expect((await secrets(['rotate'])).rows).toEqual([
      expect.not.objectContaining({ addedKey: expect.anything() as unknown }),
      expect.objectContaining({ resealedRows: 0 }),
    ]);
    expect(await loadSecrets(service.dataDir)).toEqual(before);
  });

  it('keep older keys while anything needs them', async () => {
    const signing = await secrets(['retire', 'signing']);
    expect(signing).toMatchObject({
      code: 1,
      output: expect.stringMatching(/signing keys are still needed.*--force/) as string,
    });
    await sealMany(1);
    await ageRotation(service.dataDir, 120);
    const sealing = await secrets(['retire', 'sealing', '--force']);
    expect(sealing).toMatchObject({
      code: 1,
      output: expect.stringMatching(/1 secret is still sealed/) as string,
    });
    expect((await loadSecrets(service.dataDir)).sealingKeys).toHaveLength(2);
  });

  it('resume after kill -9 and end with every secret under the newest key', async () => {
    await sealMany(4_000);
    const child = start(['rotate', 'sealing']);
    const ended = once(child, 'close');
    const before = await sealedWithNewest();
    while ((await sealedWithNewest()) <= before && child.exitCode === null);
    child.kill('SIGKILL');
    await ended;
    const [{ all }] = (await service.database.rows<{ all: number }>(
      'SELECT count(*)::int AS all FROM webhook_endpoints',
    )) as [{ all: number }];
    const half = await sealedWithNewest();
    expect(half).toBeGreaterThan(before);
    expect(half).toBeLessThan(all);

    expect((await secrets(['rotate', 'sealing'])).rows).toEqual([
      expect.objectContaining({
        resealedRows: all - half,
        olderKeys: expect.stringMatching(/No longer needed/) as string,
      }),
    ]);
    expect(await sealedWithNewest()).toBe(all);
  });

  it('remove unneeded sealing keys, and signing keys at once when forced', async () => {
    const oldUrl = await upload();
    expect((await secrets(['retire', 'sealing'])).rows).toMatchObject([{ removedKeys: 1 }]);
    expect((await newEndpoint('two')).body['secret']).toMatch(/^whsec_/);
    expect((await secrets(['retire', 'signing', '--force'])).rows).toMatchObject([{ removedKeys: 1 }]);
    expect((await fetch(oldUrl)).status).toBe(200);
    const rotated = await secrets(['rotate', 'signing']);
    expect(rotated.code, rotated.output).toBe(0);
    expect((await secrets(['retire', 'signing', '--force'])).code).toBe(0);
    await expect.poll(async () => (await fetch(oldUrl)).status, { timeout: 10_000 }).toBe(404);
  });

  it('finish a rotation that was interrupted before the new key was used', async () => {
    const { urlSigningKeys: before } = await loadSecrets(service.dataDir);
    const added = 'n'.repeat(43);
    await prepublishKey(service.dataDir, 'urlSigningKey', added);
    expect((await secrets(['status', 'signing'])).rows).toMatchObject([
      { keys: [{ role: 'newest' }, { role: 'not used yet' }] },
    ]);
    expect(await secrets(['retire', 'signing'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('not used yet') as string,
    });
    expect((await secrets(['rotate', 'signing'])).rows).toMatchObject([{ addedKey: expect.any(String) }]);
    expect((await loadSecrets(service.dataDir)).urlSigningKeys).toEqual([added, ...before]);
  });

  it('print what to set when the environment holds the keys, then seal with the new key', async () => {
    const { sealingKeys } = await loadSecrets(service.dataDir);
    const one = await secrets(['rotate', 'sealing'], { SEALING_KEY: sealingKeys[0]! });
    expect(one.rows).toEqual([
      expect.objectContaining({ keptIn: 'SEALING_KEY', newKey: expect.any(String) as string }),
    ]);
    const newKey = String(one.rows[0]!['newKey']);
    expect(one.output).toMatch(/restart every process. Then set/);
    // The new key is appended, and not used yet.
    const appended = await secrets(['status', 'sealing'], { SEALING_KEY: `${sealingKeys[0]},${newKey}` });
    expect(appended.rows).toMatchObject([
      {
        keys: [{ role: 'used' }, { role: 'accepted', sealedSecrets: 0 }],
        olderKeys: expect.stringMatching(/If the last key is new: .*move the key to the front/) as string,
      },
    ]);
    const list = { SEALING_KEY: `${newKey},${sealingKeys[0]}` };
    const two = await secrets(['rotate', 'sealing'], list);
    expect(two.code, two.output).toBe(0);
    expect(two.output).toMatch(/leave only the first key in SEALING_KEY/);
    const rows = await service.database.rows<{ id: string; sealed_secret: Buffer }>(
      'SELECT id, sealed_secret FROM webhook_endpoints',
    );
    const box = new SecretBox(newKey);
    for (const { id, sealed_secret: sealed } of rows) expect(box.keyIndex(sealed, id)).toBe(0);
    expect((await loadSecrets(service.dataDir)).sealingKeys).toEqual(sealingKeys);
    expect((await secrets(['status', 'sealing'], list)).output).toMatch(
      /leave only the first key in SEALING_KEY/,
    );
  });

  it('are not removed from variables, also when forced', async () => {
    const list = { URL_SIGNING_KEY: `${'n'.repeat(43)},${'o'.repeat(43)}` };
    const advice = /To end those addresses now, leave only the first key in URL_SIGNING_KEY on every host/;
    expect((await secrets(['status', 'signing'], list)).rows).toMatchObject([
      {
        keys: [{ role: 'used' }, { role: 'accepted' }],
        olderKeys: expect.stringMatching(
          /If it is new: .*move the key to the front.*If it is older/,
        ) as string,
      },
    ]);
    const refused = await secrets(['retire', 'signing'], list);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(advice)]);
    const forced = await secrets(['retire', 'signing', '--force'], list);
    expect(forced.rows).toMatchObject([{ removedKeys: 0, next: expect.stringMatching(advice) as string }]);
  });

  it('reject an unknown kind of key', async () => {
    expect(await secrets(['rotate', 'passwords'])).toMatchObject({ code: 2 });
  });
});
