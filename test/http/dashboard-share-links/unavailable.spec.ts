import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ShareLinksRepository } from '../../../src/jobs/shares/share-links.repository.js';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

const PATH = `/share/${'a'.repeat(43)}`;

describe('a share link', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await sharedHarness();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => harness.close());

  /** Not with the contract client, which knows no errors that are pages. */
  const get = async (path: string, language = 'en') => {
    const answer = await fetch(`${harness.url}${path}`, { headers: { 'accept-language': language } });
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text: await answer.text(),
    };
  };
  const failWith = (error: Error): void =>
    void vi
      .spyOn(harness.app.get(ShareLinksRepository, { strict: false }), 'findByTokenHash')
      .mockRejectedValue(error);
  const away = (): Error => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

  it('shows a page while the database is unavailable', async () => {
    failWith(away());
    const { status, headers, text } = await get(PATH);
    expect(status).toBe(503);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'retry-after': '5',
    });
    expect(text).toContain('Temporarily unavailable');
    expect((await get(PATH, 'de')).text).toContain('Vorübergehend nicht verfügbar');
  });

  it('shows a page after an internal error, without its text', async () => {
    failWith(new Error('a secret'));
    const { status, text } = await get(PATH);
    expect(status).toBe(500);
    expect(text).toContain('cannot be shown right now');
    expect(text).not.toContain('a secret');
  });

  it('sends problem documents in place of pictures', async () => {
    failWith(away());
    const { status, headers } = await get(`${PATH}/photo`);
    expect([status, headers['content-type']]).toEqual([503, 'application/problem+json; charset=utf-8']);
  });

  it('that is unknown may have expired a while ago', async () => {
    const { status, text } = await get(PATH);
    expect(status).toBe(404);
    expect(text).toContain('expired a while ago');
  });
});
