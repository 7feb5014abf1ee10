import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { newMember } from '../../support/app/members.js';
import { newResult } from '../../support/app/results.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

const BYTES = Buffer.from('these are the pixels');
const DAY_MS = 86_400_000;

interface Link {
  readonly id: string;
  readonly url: string;
  readonly expiresAt: string;
}

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

const create = (json: object, by = browser) => by.call('POST', '/ai/share-links', { json });

async function newLink(jobId: string, given: object = {}): Promise<Link & { readonly path: string }> {
  const { status, body, text } = await create({ jobId, expiresIn: 3_600, ...given });
  expect(status, text).toBe(201);
  const link = body as Link;
  return { ...link, path: link.url.replace(PUBLIC_URL, '') };
}

const auditRows = (targetId: string) =>
  harness.rows<{ action: string; actor_kind: string; details: object }>(
    'SELECT action, actor_kind, details FROM audit_events WHERE account_id = $1 AND target_id = $2 ORDER BY id',
    [account.id, targetId],
  );

describe('/dashboard/api/ai/share-links', () => {
  it('creates, lists and revokes a link, and records it', async () => {
    const { id: jobId } = await newResult(harness, account, BYTES, 30 * 86_400);
    const before = Date.now();
    const link = await newLink(jobId, { expiresIn: 86_400 });
    const token = /\/share\/([\w-]{43})$/.exec(link.url)?.[1] ?? '';
    expect(link).toMatchObject({ id: expect.stringMatching(/^shr_/), jobId, showsOriginal: false });
    expect(Math.abs(Date.parse(link.expiresAt) - before - DAY_MS)).toBeLessThan(60_000);
    const [row] = await harness.rows<{ token_hash: Buffer }>('SELECT * FROM share_links WHERE id = $1', [
      link.id,
    ]);
    expect(row!.token_hash).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(row)).not.toContain(token);

    const { url: _url, path: _path, ...listed } = link;
    const { body } = await browser.call('GET', `/ai/share-links?jobId=${jobId}`);
    expect(body).toEqual({ data: [listed] });
    const { id: otherJob } = await newResult(harness, account);
    expect((await browser.call('GET', `/ai/share-links?jobId=${otherJob}`)).body).toEqual({ data: [] });

    expect((await browser.call('DELETE', `/ai/share-links/${link.id}`)).status).toBe(204);
    expect((await browser.call('DELETE', `/ai/share-links/${link.id}`)).status).toBe(404);
    expect((await browser.call('GET', `/ai/share-links?jobId=${jobId}`)).body).toEqual({ data: [] });
    expect(await auditRows(link.id)).toEqual([
      {
        action: 'share_link.created',
        actor_kind: 'person',
        details: { jobId, showsOriginal: false, expiresAt: link.expiresAt },
      },
      { action: 'share_link.revoked', actor_kind: 'person', details: { jobId } },
    ]);
  });

  it('does not let a link outlive its result', async () => {
    const { id, result } = await newResult(harness, account, BYTES, 7_200);
    expect((await newLink(id, { expiresIn: 604_800 })).expiresAt).toBe(result.expiresAt);
  });

  it('refuses results that cannot be shared, and invalid requests', async () => {
    const { id: unfinished } = await harness.newJob(account);
    const { id: delivered } = await harness.newJob(account, { retention: 'deliver' });
    await harness.jobs.complete(delivered, BYTES);
    const { id: erased } = await newResult(harness, account);
    await harness.rows('UPDATE jobs SET result_erased_at = now() WHERE id = $1', [erased]);
    const { id: fine } = await newResult(harness, account);
    const unknown = `job_${'0'.repeat(32)}`;
    const cases: readonly (readonly [object, number, string])[] = [
      [{ jobId: unfinished, expiresIn: 3_600 }, 400, 'jobId'],
      [{ jobId: delivered, expiresIn: 3_600 }, 400, 'jobId'],
      [{ jobId: erased, expiresIn: 3_600 }, 410, 'gone'],
      [{ jobId: unknown, expiresIn: 3_600 }, 404, 'not_found'],
      [{ jobId: 'job_1', expiresIn: 3_600 }, 400, 'jobId'],
      [{ jobId: fine, expiresIn: 3_601 }, 400, 'expiresIn'],
      [{ jobId: fine, expiresIn: '3600' }, 400, 'expiresIn'],
      [{ jobId: fine }, 400, 'expiresIn'],
      [{ jobId: fine, expiresIn: 3_600, showsOriginal: 'yes' }, 400, 'showsOriginal'],
      [{ jobId: fine, expiresIn: 3_600, password: 'x' }, 400, 'password'],
    ];
    for (const [json, status, says] of cases) {
      const answer = await create(json);
      expect({ json, status: answer.status }).toEqual({ json, status });
      expect(answer.text).toContain(`"${says}"`);
    }
    const rows = await harness.rows('SELECT 1 FROM share_links WHERE job_id = ANY ($1)', [
      [unfinished, delivered, erased, fine],
    ]);
    expect(rows).toEqual([]);
  });

  it('does not let viewers create or revoke links, but shows them the list', async () => {
    const { browser: viewer } = await newMember(harness, account, 'viewer');
    const { id: jobId } = await newResult(harness, account);
    const link = await newLink(jobId);
    const refused = await create({ jobId, expiresIn: 3_600 }, viewer);
    expect(refused.body).toMatchObject({ code: 'insufficient_role', requiredPermission: 'images:write' });
    expect((await viewer.call('DELETE', `/ai/share-links/${link.id}`)).status).toBe(403);
    expect((await viewer.call('GET', `/ai/share-links?jobId=${jobId}`)).body).toMatchObject({
      data: [{ id: link.id }],
    });
  });
});

describe('the page of a share link', () => {
  /** Not with the contract client, which knows neither these routes nor errors that are pages. */
  const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`${harness.url}${path}`, { method, headers });
    const body = Buffer.from(await answer.arrayBuffer());
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
      text: body.toString(),
    };
  };

  it('shows the photo to anyone, and nothing about the account', async () => {
    const { id, result } = await newResult(harness, account, BYTES);
    const { path } = await newLink(id);
    const { status, text, headers } = await get(path);
    expect(status).toBe(200);
    expect(text).toContain(`src="${path.split('/').at(-1)}/photo"`);
    expect(text).toContain(`datetime="${result.expiresAt}"`);
    for (const secret of [account.id, id, 'example.org', '/original', '<script'])
      expect(text).not.toContain(secret);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(headers).not.toHaveProperty('set-cookie');
    const style = /<style>([^]*)<\/style>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; img-src 'self'; style-src 'sha256-${hash}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    );
  });

  it.each(['text/html', '*/*'])('shows it also at an address with a slash, to %s', async (accept) => {
    const { id } = await newResult(harness, account, BYTES);
    const { path } = await newLink(id);
    const { status, headers } = await fetch(`${harness.url}${path}/`, {
      headers: { accept },
      redirect: 'manual',
    });
    expect([status, headers.get('location')]).toEqual([308, `../${path.split('/').at(-1)}`]);
  });

  it('sends bytes like /files: ranges, HEAD, and conditional requests', async () => {
    const { id, result } = await newResult(harness, account, BYTES);
    const { path } = await newLink(id);
    const whole = await get(`${path}/photo`);
    expect([whole.status, whole.body]).toEqual([200, BYTES]);
    expect(whole.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, no-cache',
      'content-disposition': 'inline; filename="photo.png"',
      'x-robots-tag': 'noindex, nofollow',
      etag: `"${result.sha256}"`,
    });
    const part = await get(`${path}/photo`, { range: 'bytes=6-8' });
    expect([part.status, String(part.body), part.headers['content-range']]).toEqual([
      206,
      'are',
      'bytes 6-8/20',
    ]);
    expect((await get(`${path}/photo`, { range: 'bytes=99-' })).status).toBe(416);
    expect((await get(`${path}/photo`, { 'if-none-match': `"${result.sha256}"` })).status).toBe(304);
    const head = await get(`${path}/photo`, {}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '20', '']);
    const saved = await get(`${path}/download`);
    expect(saved.headers['content-disposition']).toBe('attachment; filename=photo-upscaled.png');
  });

  it('shows the original only if the link allows it, and only while it exists', async () => {
    const { id } = await newResult(harness, account);
    const closed = await newLink(id);
    expect((await get(`${closed.path}/original`)).status).toBe(404);
    const open = await newLink(id, { showsOriginal: true });
    expect((await get(open.path)).text).toContain('/original"');
    expect((await get(`${open.path}/original`)).headers['content-type']).toMatch(/^image\//);
    await harness.rows(
      'UPDATE sources SET deleted_at = now() WHERE id = (SELECT source_id FROM jobs WHERE id = $1)',
      [id],
    );
    expect((await get(open.path)).text).not.toContain('/original"');
    expect((await get(`${open.path}/original`)).status).toBe(404);
  });

  it('says that the link does not exist if it is revoked, made up, or malformed', async () => {
    const { id } = await newResult(harness, account);
    const link = await newLink(id);
    await browser.call('DELETE', `/ai/share-links/${link.id}`);
    for (const path of [
      link.path,
      `${link.path}/photo`,
      `/share/${'a'.repeat(43)}`,
      '/share/%00',
      '/share/x',
    ])
      expect(await get(path), path).toMatchObject({
        status: 404,
        text: expect.stringContaining('Link not found'),
      });
  });

  it('says that the link has expired when it or its result has, or the job was deleted', async () => {
    const ends = {
      link: (jobId: string) =>
        harness.rows(`UPDATE share_links SET expires_at = now() - interval '1 second' WHERE job_id = $1`, [
          jobId,
        ]),
      result: (jobId: string) =>
        harness.rows(`UPDATE jobs SET result_expires_at = now() - interval '1 second' WHERE id = $1`, [
          jobId,
        ]),
      erased: (jobId: string) =>
        harness.rows('UPDATE jobs SET result_erased_at = now() WHERE id = $1', [jobId]),
      deleted: (jobId: string) => harness.call('DELETE', `/api/ai/enhance/${jobId}`, { key: account.key }),
    };
    for (const [name, end] of Object.entries(ends)) {
      const { id } = await newResult(harness, account);
      const { path } = await newLink(id);
      expect((await get(path)).status, name).toBe(200);
      await end(id);
      for (const part of ['', '/photo', '/download'])
        expect((await get(path + part)).status, `${name} ${part}`).toBe(410);
      expect((await get(path)).text, name).toContain('Link expired');
    }
  });

  it('shows nothing while the account is suspended', async () => {
    const { id } = await newResult(harness, account);
    const { path } = await newLink(id);
    const suspend = (value: string) =>
      harness.rows(`UPDATE accounts SET suspended_at = ${value} WHERE id = $1`, [account.id]);
    await suspend('now()');
    for (const part of ['', '/photo', '/download']) expect((await get(path + part)).status).toBe(410);
    await suspend('NULL');
    expect((await get(path)).status).toBe(200);
  });

  it('states the size in the units of the dashboard', async () => {
    const { id } = await newResult(harness, account, Buffer.alloc(77_184, 1));
    const { path } = await newLink(id);
    expect((await get(path)).text).toContain(' · 75.4 kB<');
    expect((await get(path, { 'accept-language': 'de' })).text).toContain(' · 75,4 kB<');
  });

  it('is in German for browsers that prefer it', async () => {
    const { id } = await newResult(harness, account);
    const { path } = await newLink(id);
    expect((await get(path, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' })).text).toContain(
      'Herunterladen',
    );
    expect((await get(path, { 'accept-language': 'en-GB,de;q=0.5' })).text).toContain('Download');
  });
});
