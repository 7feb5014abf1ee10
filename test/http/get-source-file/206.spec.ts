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

  it('answers the whole file to several ranges, and to a header that says nothing', async () => {
    for (const range of ['bytes=0-1,4-5', 'bytes=9-5', 'items=0-5', 'bytes=', 'nonsense']) {
      const { status, body, headers } = await get({ range });
      expect({ range, status }).toEqual({ range, status: 200 });
      expect(Buffer.compare(body as Buffer, file.bytes)).toBe(0);
      expect(headers).not.toHaveProperty('content-range');
    }
  });

  it('answers a part after If-Range only while the file is the one the client knows', async () => {
    const range = 'bytes=0-4';
    expect((await get({ range, 'if-range': file.etag })).status).toBe(206);
    for (const other of ['"other"', `W/${file.etag}`, 'Wed, 21 Oct 2015 07:28:00 GMT']) {
      expect((await get({ range, 'if-range': other })).status).toBe(200);
    }
  });

  it('answers 304 before it looks at the range', async () => {
    expect((await get({ range: 'bytes=0-4', 'if-none-match': file.etag })).status).toBe(304);
  });

  it('does not look at the range of a HEAD', async () => {
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

  it('answers no part to who may not read the file', async () => {
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
