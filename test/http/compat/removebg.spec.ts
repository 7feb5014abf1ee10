import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CompatService } from '../../support/app/compat-service.js';
import { photo } from '../../support/images/images.js';
import { ImageOrigin } from '../../support/network/image-origin.js';

const PATH = '/v1.0/removebg';

let service: CompatService;
let origin: ImageOrigin;
let bytes: Buffer;
beforeAll(async () => {
  [service, origin, bytes] = await Promise.all([
    CompatService.start(),
    ImageOrigin.start(),
    photo(48, 32, 'jpeg'),
  ]);
});
afterEach(() => service.expectErased());
afterAll(async () => {
  await service.harness.close();
  await origin.close();
});

/** Requests as in the remove.bg documentation: a form with a file, or fields in one of three encodings. */
function form(fields: Readonly<Record<string, string>> = {}, file: Buffer | null = bytes): RequestInit {
  const body = new FormData();
  if (file !== null) body.append('image_file', new Blob([new Uint8Array(file)]), 'photo.jpg');
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { method: 'POST', body };
}
const json = (fields: object, accept = '*/*'): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept },
  body: JSON.stringify(fields),
});
const encoded = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

const numbers = Array.from({ length: 1_000 }, (_, index) => index);

async function errorsOf(response: Response): Promise<[number, string[]]> {
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const { errors } = (await response.json()) as { errors: { title: string; code: string }[] };
  for (const { title } of errors) expect(title).toMatch(/\S/);
  return [response.status, errors.map(({ code }) => code)];
}

describe('POST /v1.0/removebg', () => {
  it('returns the picture with the headers of remove.bg', async () => {
    const response = await service.answered(PATH, form({ size: 'auto' }));
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(service.result)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-credits-charged': '1',
      'x-type': 'other',
      'x-width': '96',
      'x-height': '64',
      'x-ratelimit-limit': expect.stringMatching(/^\d+$/) as unknown,
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/) as unknown,
    });
    const usage = await service.harness.call('GET', '/api/usage', { key: service.account.key });
    expect(usage.body).toMatchObject({ enhancements: { used: 1 } });
  });

  it('returns JSON to a client that accepts JSON', async () => {
    const fields = { image_file_b64: bytes.toString('base64'), size: 'preview', crop: false };
    const response = await service.answered(PATH, json(fields, 'application/json'));
    const body = await response.text();
    expect([response.status, JSON.parse(body)]).toEqual([
      200,
      { data: { result_b64: service.result.toString('base64') } },
    ]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(body.length),
      'x-width': '96',
    });
  });

  it.each([
    ['JSON with a URL', () => json({ image_url: origin.serve('/a.jpg', bytes) })],
    ['an encoded form with a URL', () => encoded({ image_url: origin.serve('/b.jpg', bytes), size: 'hd' })],
    ['a form with a URL', () => form({ image_url: origin.serve('/c.jpg', bytes) }, null)],
    ['an encoded form with Base64', () => encoded({ image_file_b64: bytes.toString('base64') })],
    ['a form with Base64', () => form({ image_file_b64: bytes.toString('base64') }, null)],
    ['a data URL', () => json({ image_file_b64: `data:image/jpeg;base64,${bytes.toString('base64')}` })],
    // What the npm package "remove.bg" sends for options that are not set.
    [
      'the word undefined',
      () => form({ size: 'preview', scale: 'undefined', roi: 'undefined', crop: 'false' }),
    ],
  ])('accepts %s', async (_, init) => {
    const response = await service.answered(PATH, init());
    expect(response.status, await response.clone().text()).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(service.result)).toBe(true);
  });

  it('accepts Base64 that is far larger than other JSON bodies may be', async () => {
    const large = await photo(1200, 900, 'png');
    expect(large.length).toBeGreaterThan(1_000_000);
    const response = await service.answered(PATH, json({ image_file_b64: large.toString('base64') }));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  });

  it('uses a color as the background and returns a JPEG', async () => {
    const response = await service.answered(PATH, form({ bg_color: '81d4fa' }));
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    expect(await service.newestOutput()).toMatchObject({ format: 'jpeg', background: '#81d4fa' });
  });

  it('uses the picture at a URL as the background, and erases it afterward', async () => {
    const url = origin.serve('/behind.png', await photo(30, 20, 'png'));
    const response = await service.answered(PATH, form({ bg_image_url: url }));
    expect(response.status, await response.clone().text()).toBe(200);
    await response.arrayBuffer();
    expect(await service.newestOutput()).toMatchObject({
      format: 'jpeg',
      background: {
        sourceId: expect.stringMatching(/^src_/) as unknown,
        width: 30,
        height: 20,
        fit: 'cover',
      },
    });
  });

  it.each([
    ['image_file', () => form({ bg_image_url: origin.serve('/e.png', bytes) }, Buffer.from('no image'))],
    ['bg_image_url', () => form({ bg_image_url: origin.serve('/f.png', Buffer.from('no image')) })],
  ])('refuses a file in %s that is not an image, and keeps neither file', async (_, init) => {
    expect(await errorsOf(await service.fetch(PATH, init()))).toEqual([400, ['invalid_file_type']]);
  });

  it('reports what is wrong with the photo even if the background cannot be erased', async () => {
    await service.harness.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'not now'; END $$`);
    await service.harness.rows(
      'CREATE TRIGGER refuse BEFORE UPDATE ON sources FOR EACH ROW EXECUTE FUNCTION refuse()',
    );
    try {
      const init = form({ bg_image_url: origin.serve('/g.png', bytes) }, Buffer.from('no image'));
      expect(await errorsOf(await service.fetch(PATH, init))).toEqual([400, ['invalid_file_type']]);
    } finally {
      await service.harness.rows('DROP FUNCTION refuse CASCADE');
    }
    const { key } = service.account;
    const { body } = await service.harness.call('GET', '/api/ai/sources', { key });
    const { data } = body as { data: { id: string }[] };
    expect(data).toHaveLength(1);
    await service.harness.call('DELETE', `/api/ai/sources/${data[0]!.id}`, { key });
  });

  it.each([
    [
      { crop: 'true', crop_margin: '10%', add_shadow: 'true' },
      { format: 'png', crop: 'subject', padding: 0.1, shadow: { opacity: 0.4 } },
    ],
    [
      { channels: 'alpha', crop: 'true' },
      { format: 'png', kind: 'mask', crop: 'subject' },
    ],
  ])('turns %j into the output %j', async (fields, output) => {
    const response = await service.answered(PATH, form(fields));
    await response.arrayBuffer();
    expect(await service.newestOutput()).toMatchObject(output);
  });

  it.each([
    ['no image', () => json({ size: 'auto' }), 400, ['missing_source']],
    ['two images', () => form({ image_url: 'https://images.example/' }), 400, ['multiple_sources']],
    ['unknown fields', () => form({ sise: 'full', scale: '50%' }), 400, ['invalid_sise', 'invalid_scale']],
    ['no image in the file', () => form({}, Buffer.from('no image')), 400, ['invalid_file_type']],
    ['a private background', () => form({ bg_image_url: 'http://10.0.0.1/' }), 400, ['invalid_bg_image_url']],
    ['a private address', () => json({ image_url: 'http://10.0.0.1/' }), 400, ['invalid_image_url']],
    ['text that is not Base64', () => json({ image_file_b64: '@@@' }), 400, ['invalid_image_file_b64']],
    ['a missing image', () => json({ image_url: origin.url('/nothing') }), 400, ['failed_image_download']],
    [
      '1,000 fields',
      () => ({ ...encoded({}), body: new URLSearchParams('a&'.repeat(1_000)) }),
      400,
      ['members'],
    ],
    ['1,000 members', () => json(Object.fromEntries(numbers.map((n) => [`a${n}`, n]))), 400, ['members']],
    ['1,000 elements', () => json({ image_file_b64: numbers }), 400, ['members']],
    ['malformed JSON', () => ({ ...json({}), body: '{' }), 400, ['invalid_request']],
    ['another content type', () => ({ method: 'POST', body: 'text' }), 400, ['invalid_file_type']],
  ])('refuses %s with the error codes of remove.bg', async (_, init, status, codes) => {
    expect(await errorsOf(await service.fetch(PATH, init()))).toEqual([status, codes]);
  });

  it('returns 400 unknown_foreground and charges nothing when the photo has no subject', async () => {
    const before = await service.harness.call('GET', '/api/usage', { key: service.account.key });
    const response = await service.answered(PATH, form(), 'no_subject_found');
    expect(await errorsOf(response)).toEqual([400, ['unknown_foreground']]);
    const after = await service.harness.call('GET', '/api/usage', { key: service.account.key });
    expect(after.body).toEqual(before.body);
  });

  it('returns 403 auth_failed for a wrong key, and 402 insufficient_credits for a used-up quota', async () => {
    const wrong = await service.fetch(PATH, { ...form(), headers: { 'x-api-key': 'wrong' } });
    expect(await errorsOf(wrong)).toEqual([403, ['auth_failed']]);
    const poor = await service.harness.createAccount({ limits: { enhancements: 0 } });
    const refused = await service.fetch(PATH, { ...form(), headers: { 'x-api-key': poor.key } });
    expect(await errorsOf(refused)).toEqual([402, ['insufficient_credits']]);
  });

  it('returns 429 with Retry-After above the rate limit', async () => {
    const slow = await service.harness.createAccount({ limits: { rpm: 1 } });
    const headers = { 'x-api-key': slow.key };
    expect(
      (
        await service.fetch(PATH, {
          ...json({}),
          headers: { ...headers, 'content-type': 'application/json' },
        })
      ).status,
    ).toBe(400);
    const refused = await service.fetch(PATH, { ...form(), headers });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await errorsOf(refused)).toEqual([429, ['rate_limit_exceeded']]);
  });

  it('erases everything when the client disconnects', async () => {
    const abort = new AbortController();
    const sent = service.fetch(PATH, { ...form(), signal: abort.signal });
    const queued = () =>
      service.harness.rows("SELECT 1 FROM jobs WHERE account_id = $1 AND status = 'queued'", [
        service.account.id,
      ]);
    await expect.poll(queued).toHaveLength(1);
    abort.abort();
    await expect(sent).rejects.toThrow(/abort/);
    await expect.poll(queued).toHaveLength(0);
  });
});
