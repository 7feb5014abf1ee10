import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAnswersOneRange, type ServedFile, servedFile } from '../../support/app/file-ranges.js';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let file: ServedFile;
beforeAll(async () => {
  harness = await sharedHarness();
  const account = await harness.createAccount();
  const bytes = await photo(40, 30, 'png');
  const path = (await harness.newSource(account, bytes)).url.replace(PUBLIC_URL, '');
  file = await servedFile(harness, path, bytes);
});
afterAll(() => harness.close());

const get = (headers: Record<string, string>) => harness.call('GET', file.path, { headers });

describe('GET /files/src_… → 206', () => {
  itAnswersOneRange(() => file);

  it('but 200 with the whole file for several ranges and for an invalid header', async () => {
    for (const range of ['bytes=0-1,4-5', 'bytes=9-5', 'items=0-5', 'bytes=', 'nonsense']) {
      const { status, body, headers } = await get({ range });
      expect({ range, status }).toEqual({ range, status: 200 });
      expect(Buffer.compare(body as Buffer, file.bytes)).toBe(0);
      expect(headers).not.toHaveProperty('content-range');
    }
  });

  it('after If-Range only if the client knows the current file', async () => {
    const range = 'bytes=0-4';
    expect((await get({ range, 'if-range': file.etag })).status).toBe(206);
    for (const other of ['"other"', `W/${file.etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      expect((await get({ range, 'if-range': other })).status).toBe(200);
    }
  });

  it('but 304 if If-None-Match matches, whatever the range', async () => {
    expect((await get({ range: 'bytes=0-4', 'if-none-match': file.etag })).status).toBe(304);
  });

  it('but 200 for HEAD, whose range is ignored', async () => {
    for (const range of ['bytes=0-4', 'bytes=99999999-']) {
      const { status, headers } = await harness.call('HEAD', file.path, { headers: { range } });
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-length': String(file.bytes.length),
        'accept-ranges': 'bytes',
        etag: file.etag,
      });
      expect(headers).not.toHaveProperty('content-range');
    }
  });

  it('but 404 for clients that may not read the file', async () => {
    const stranger = await harness.createAccount();
    const [bare] = file.path.split('?');
    const answers = [
      await harness.call('GET', bare!, { headers: { range: 'bytes=0-4' } }),
      await harness.call('GET', bare!, { headers: { range: 'bytes=0-4' }, key: stranger.key }),
      await harness.call('GET', `${file.path}0`, { headers: { range: 'bytes=0-4' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
