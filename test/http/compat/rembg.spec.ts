import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CompatService } from '../../support/app/compat-service.js';
import { photo } from '../../support/images/images.js';
import { ImageOrigin } from '../../support/network/image-origin.js';

const PATH = '/api/remove';

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

function form(fields: Readonly<Record<string, string>> = {}): RequestInit {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  return { method: 'POST', body };
}

async function isPicture(response: Response): Promise<boolean> {
  expect(response.status, await response.clone().text()).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/png');
  return Buffer.from(await response.arrayBuffer()).equals(service.result);
}

const problemOf = async (response: Response): Promise<[number, unknown]> => [
  response.status,
  await response.json(),
];

describe('/api/remove', () => {
  it('accepts a file and the fields of rembg with POST', async () => {
    const fields = { model: 'u2net', a: 'true', af: '240', ab: '10', ae: '10', ppm: 'true', om: 'false' };
    expect(await isPicture(await service.answered(`${PATH}?bgc=255,0,0,255`, form(fields)))).toBe(true);
    expect(await service.newestOutput()).toMatchObject({ format: 'png', background: '#ff0000' });
  });

  it('accepts a URL with GET', async () => {
    const url = encodeURIComponent(origin.serve('/photo.jpg', bytes));
    expect(await isPicture(await service.answered(`${PATH}?url=${url}&model=isnet-general-use`, {}))).toBe(
      true,
    );
  });

  it('does not leak listeners on the response', async () => {
    const warnings: string[] = [];
    const listen = ({ name }: Error): number => warnings.push(name);
    process.on('warning', listen);
    expect(await isPicture(await service.answered(PATH, form()))).toBe(true);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('returns only the mask with om=true', async () => {
    expect(await isPicture(await service.answered(PATH, form({ om: 'true' })))).toBe(true);
    expect(await service.newestOutput()).toMatchObject({ format: 'png', kind: 'mask' });
  });

  it.each([
    ['no url', () => service.fetch(PATH), 'url'],
    ['a private url', () => service.fetch(`${PATH}?url=http://10.0.0.1/`), 'url'],
    ['an invalid boolean', () => service.fetch(PATH, form({ om: 'perhaps' })), 'om'],
    ['an unknown parameter', () => service.fetch(`${PATH}?modle=u2net`, form()), 'modle'],
  ])('returns 400 for %s', async (_, send, field) => {
    const [status, problem] = await problemOf(await send());
    expect([status, problem]).toMatchObject([400, { code: 'invalid_request', errors: [{ field }] }]);
  });

  it('requires the key in a header, and ignores a key in the URL', async () => {
    const without = { headers: { 'x-api-key': '' } };
    const [status, problem] = await problemOf(
      await service.fetch(`${PATH}?api_key=${service.account.key}`, { ...form(), ...without }),
    );
    expect([status, problem]).toMatchObject([401, { code: 'unauthorized' }]);
  });

  it('exists only when COMPAT lists rembg', async () => {
    const other = await service.harness.another({ env: { COMPAT: 'removebg' } });
    try {
      const headers = { 'x-api-key': service.account.key };
      const answer = await fetch(`${other.url}${PATH}`, { ...form(), headers });
      expect(answer.status).toBe(404);
      expect((await fetch(`${other.url}/v1.0/removebg`, { method: 'POST', headers })).status).toBe(400);
    } finally {
      await other.close();
    }
  });
});
