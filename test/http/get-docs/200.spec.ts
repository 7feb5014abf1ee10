import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/kernel/error-codes.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('the documentation', () => {
  it('GET /openapi.json is an OpenAPI 3.1 document', async () => {
    const { status, body, headers } = await harness.call('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect((body as { openapi: string }).openapi).toMatch(/^3\.1\.\d+$/);
  });

  it('GET /docs is a page that shows it, without anything from elsewhere', async () => {
    const { status, text, headers } = await harness.call('GET', '/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    const loaded = [...text.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(loaded.length).toBeGreaterThan(0);
    for (const address of loaded) {
      expect(address).not.toMatch(/^(?:https?:)?\/\//);
      const { pathname } = new URL(address, `${harness.url}/docs`);
      expect((await harness.call('GET', pathname)).status, address).toBe(200);
    }
  });

  it('GET /docs/errors has an anchor for every code that a problem points at', async () => {
    const { status, text } = await harness.call('GET', '/docs/errors');
    expect(status).toBe(200);
    for (const code of Object.keys(ERROR_CODES)) expect(text).toContain(`id="${code}"`);
  });

  it('GET /docs/plans is where upgrade hints lead', async () => {
    const account = await harness.createAccount({ plan: 'free', limits: { enhancements: 0 } });
    const { url: sourceUrl } = await harness.newSource(account);
    const { body } = await harness.createJob(account.key, { sourceUrl, operation: 'upscale' });
    const { pathname, hash } = new URL((body as { upgrade: { url: string } }).upgrade.url);
    const { status, text } = await harness.call('GET', pathname.replace(new URL(PUBLIC_URL).pathname, ''));
    expect(status).toBe(200);
    expect(text).toContain(`id="${hash.slice(1)}"`);
  });
});
