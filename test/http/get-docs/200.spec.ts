import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../scripts/lib/paths.mjs';
import { SITE_PAGES } from '../../../src/app/site/site-catalog.js';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import { ERROR_CODES } from '../../../src/kernel/errors/error-codes.js';
import { SCOPES } from '../../../src/kernel/scopes.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

/** The URLs of all links, scripts, styles, and images in a page. */
const addressesIn = (html: string): string[] =>
  [...html.matchAll(/<(?:a|script|link|img)\b[^>]*? (?:href|src)="([^"]+)"/g)].map((match) => match[1]!);

/** Follows every link of a page that stays on the site. */
async function expectGoodLinks(path: string): Promise<void> {
  const { status, text } = await harness.call('GET', path);
  expect(status, path).toBe(200);
  const addresses = addressesIn(text).filter((address) => !/^(?:https?|mailto):/.test(address));
  for (const address of new Set(addresses)) {
    const { pathname, hash } = new URL(address, `${harness.url}${path}`);
    // The dashboard may not be built here.
    if (pathname === '/') continue;
    const target = await linked(pathname);
    expect(target.status, `${path} → ${address}`).toBe(200);
    const hasAnchor = hash === '' || target.text.includes(`id="${decodeURIComponent(hash.slice(1))}"`);
    expect(hasAnchor, `${path} → ${address}`).toBe(true);
  }
}

const known = new Map<string, Promise<{ status: number; text: string }>>();
function linked(pathname: string): Promise<{ status: number; text: string }> {
  const page = known.get(pathname) ?? harness.call('GET', pathname);
  known.set(pathname, page);
  return page;
}

/** A response as sent: `fetch` would decompress it. */
async function rawRequest(
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<Pick<IncomingMessage, 'statusCode' | 'headers'> & { bytes: Buffer }> {
  const sent = request(`${harness.url}${path}`, { headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode, headers: received } = answer;
  return { statusCode, headers: received, bytes: await buffer(answer) };
}

describe('the documentation', () => {
  it('GET /openapi.json is an OpenAPI 3.1 document', async () => {
    const { status, body, headers } = await harness.call('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect((body as { openapi: string }).openapi).toMatch(/^3\.1\.\d+$/);
  });

  it.each(['/openapi.json', '/operator/openapi.json'])('GET %s is compressed on request', async (path) => {
    const plain = await rawRequest(path);
    const document = JSON.parse(plain.bytes.toString()) as unknown;
    for (const accepted of ['gzip', 'br;q=1.0, GZIP;q=0.5', 'deflate,gzip']) {
      const { headers, bytes } = await rawRequest(path, { 'accept-encoding': accepted });
      expect(headers['content-encoding'], accepted).toBe('gzip');
      expect(JSON.parse(gunzipSync(bytes).toString())).toEqual(document);
      expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
    }
    for (const accepted of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.00, br']) {
      const { headers, bytes } = await rawRequest(path, { 'accept-encoding': accepted });
      expect(headers['content-encoding'], accepted).toBeUndefined();
      expect(bytes.equals(plain.bytes)).toBe(true);
      expect(headers.vary).toMatch(/Accept-Encoding/);
    }
  });

  it.each(['identity', 'gzip'])('GET /openapi.json is 304 while a client has it in %s', async (encoding) => {
    const accept = { 'accept-encoding': encoding };
    const { headers } = await rawRequest('/openapi.json', accept);
    for (const accepted of ['identity', 'gzip']) {
      const again = await rawRequest('/openapi.json', {
        'accept-encoding': accepted,
        'if-none-match': `"other", W/${headers.etag!}`,
      });
      expect([again.statusCode, again.bytes.length]).toEqual([304, 0]);
      expect(again.headers['cache-control']).toBe('no-cache');
    }
    expect((await rawRequest('/openapi.json', { ...accept, 'if-none-match': '"other"' })).statusCode).toBe(
      200,
    );
  });

  it('the explorer has no copy of the OpenAPI document', async () => {
    const { text } = await harness.call('GET', '/docs/explorer/swagger-ui-init.js');
    expect(text).toContain('"swaggerUrl": "../openapi.json"');
    expect(text.length).toBeLessThan(5_000);
  });

  it('GET /docs leads to every page, and no link on any page is broken', async () => {
    const { text } = await harness.call('GET', '/docs');
    for (const { name } of SITE_PAGES) expect(text).toContain(`href="docs/${name}"`);
    await expectGoodLinks('/docs');
    for (const { name } of SITE_PAGES) await expectGoodLinks(`/docs/${name}`);
    for (const group of ['jobs', 'batches', 'webhooks', 'events'])
      await expectGoodLinks(`/docs/reference/${group}`);
  });

  it('GET /docs/reference begins with keys, scopes and rate limits, as the OpenAPI document does', async () => {
    const { text } = await harness.call('GET', '/docs/reference');
    for (const name of [...SCOPES, 'x-api-key', 'X-RateLimit-Remaining', 'X-Request-Id'])
      expect(text).toContain(`<code>${name}</code>`);
    expect(text).toContain('href="../docs/api"');
  });

  it('GET /docs/model-status shows the models that serve now', async () => {
    const { text } = await harness.call('GET', '/docs/model-status');
    const { operations } = (await harness.call('GET', '/health/models')).body as ModelHealthDto;
    expect(operations.length).toBeGreaterThan(0);
    for (const { operation, model } of operations)
      expect(text).toContain(`<td>${operation}</td><td>${model.name} ${model.version}</td>`);
    expect(text).toContain('No workers are running');
  });

  it('loads nothing from other origins, and has no inline scripts or styles', async () => {
    for (const path of ['/docs', ...SITE_PAGES.map(({ name }) => `/docs/${name}`), '/docs/search?q=job']) {
      const { text, headers } = await harness.call('GET', path);
      expect(text.match(/<(?:script|link|img)\b[^>]*(?:src|href)="(?:https?:)?\/\//), path).toBeNull();
      expect(text.match(/<style|<script>| style="| on\w+="/), path).toBeNull();
      expect(headers['content-security-policy'], path).toContain("default-src 'none'; script-src 'self'");
    }
  });

  it.each(SITE_PAGES.flatMap(({ name, file }) => (file === undefined ? [] : [[name, file] as const])))(
    'GET /docs/%s.md is %s, with links that lead somewhere',
    async (name, file) => {
      const path = `/docs/${name}.md`;
      const { status, text, headers } = await harness.call('GET', path);
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(/^text\/markdown/);
      const [title] = readFileSync(join(ROOT, file), 'utf8').split('\n');
      expect(text.split('\n')[0]).toBe(title);
      const prose = text.replaceAll(/^ *```[^]*?^ *```|(?<!\[)`[^`\n]*`/gm, '');
      for (const [, target] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin, pathname } = new URL(target!, `${harness.url}${path}`);
        if (origin !== harness.url) continue;
        expect((await linked(pathname)).status, `${path} → ${target}`).toBe(200);
      }
    },
  );

  it.each(SITE_PAGES)('GET /docs/$name has no remains of links that the site lacks', async ({ name }) => {
    const { text } = await harness.call('GET', `/docs/${name}`);
    expect(text.match(/\((?:<[^>]*>)?(?:why|how|measured|decision(?: \d+)?|0\d{3})\b[^<)]*\)/)).toBeNull();
  });

  it('GET /docs/dashboard.webp is the picture, byte for byte', async () => {
    const response = await fetch(`${harness.url}/docs/dashboard.webp`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const picture = readFileSync(join(ROOT, 'docs/pictures/dashboard.webp'));
    expect(Buffer.from(await response.arrayBuffer()).equals(picture)).toBe(true);
  });

  it('GET /docs/<page> is 304 until the page changes', async () => {
    const { headers } = await harness.call('GET', '/docs/chains');
    const again = await harness.call('GET', '/docs/chains', {
      headers: { 'if-none-match': headers['etag'] as string },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('GET /llms.txt lists every page that has a Markdown source', async () => {
    const { status, text, headers } = await harness.call('GET', '/llms.txt');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(text).toMatch(/^# Image Enhancement Service\n\n> .+\n\n## /);
    for (const { name, file } of SITE_PAGES)
      expect(text.includes(`](${PUBLIC_URL}/docs/${name}.md): `), name).toBe(file !== undefined);
  });

  it('GET /docs/search finds pages, with and without a script', async () => {
    for (const [query, first] of [
      ['webhook', 'webhooks'],
      ['batch', 'batches'],
      ['webhok signatur', 'webhooks#verify-the-signature'],
      ['plans', 'plans'],
      ['model status', 'model-status'],
      ['X-RateLimit-Remaining', 'api#rate-limits'],
      ['rate limit', 'api#rate-limits'],
      ['pagination', 'api#pagination'],
      ['image:read', 'api#scopes'],
      ['authentication', 'api#authentication'],
      ['polling', 'jobs#wait-for-the-result-prefer'],
      ['quota_exceeded', 'errors#quota_exceeded'],
    ] as const) {
      const { body } = await harness.call('GET', `/docs/search.json?q=${encodeURIComponent(query)}`);
      expect((body as { href: string }[])[0]?.href, query).toBe(first);
    }
    expect((await harness.call('GET', '/docs/search.json?q=createdAfter')).body).toContainEqual(
      expect.objectContaining({ href: 'reference/jobs#listJobs' }),
    );
    const { text } = await harness.call('GET', '/docs/search?q=webhook%20signature');
    expect(text).toMatch(/<ul class="results">.*href="webhooks#/s);
  });

  it.each([
    '',
    '%20',
    'zzzzqqqq',
    '%3Cscript%3Ealert(1)%3C/script%3E',
    'a'.repeat(3_000),
    '__proto__',
    '%00',
  ])('answers a search for %s', async (query) => {
    const { status, text } = await harness.call('GET', `/docs/search?q=${query}`);
    expect(status).toBe(200);
    expect(text).not.toContain('<script>');
    expect((await harness.call('GET', `/docs/search.json?q=${query}`)).status).toBe(200);
  });

  it('GET /docs/errors has an anchor for every error code', async () => {
    const { status, text } = await harness.call('GET', '/docs/errors');
    expect(status).toBe(200);
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`id="${code}"`);
  });

  it('GET /docs/plans is the target of upgrade hints', async () => {
    const account = await harness.createAccount({ plan: 'free', limits: { enhancements: 0 } });
    const { url: sourceUrl } = await harness.newSource(account);
    const { body } = await harness.createJob(account.key, { sourceUrl, operation: 'upscale' });
    const { pathname, hash } = new URL((body as { upgrade: { url: string } }).upgrade.url);
    const { status, text } = await harness.call('GET', pathname.replace(new URL(PUBLIC_URL).pathname, ''));
    expect(status).toBe(200);
    expect(text).toContain(`id="${hash.slice(1)}"`);
  });
});
