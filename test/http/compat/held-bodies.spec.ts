import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { ImageOrigin } from '../../support/network/image-origin.js';
import { RawRequest } from '../../support/app/raw-request.js';

const MAX_BYTES = 600_000;
/** Two such bodies are as much as an account may have in memory. */
const LARGE_BYTES = 1_480_000;
const PATH = 'POST /v1.0/removebg';
/** Fast enough to keep memory that others wait for. */
const DRIP = 'A'.repeat(4_000);
const DRIP_MS = 500;
const ENCODED = 'application/x-www-form-urlencoded';

let harness: Harness;
let accounts: readonly TestAccount[];
let origin: ImageOrigin;
const env = {
  UPLOAD_MAX_BYTES: String(MAX_BYTES),
  UPLOAD_SLOT_WAIT_MS: '1000',
  UPLOAD_FROM_URL_ALLOW_NETWORKS: '127.0.0.0/8',
  UPLOAD_FROM_URL_ALLOW_HTTP: 'true',
};
const open = new Set<RawRequest>();
const drips: NodeJS.Timeout[] = [];
beforeAll(async () => {
  [harness, origin] = await Promise.all([startHarness({ env }), ImageOrigin.start()]);
  accounts = [await harness.createAccount(), await harness.createAccount(), await harness.createAccount()];
});
afterEach(async () => {
  for (const drip of drips.splice(0)) clearInterval(drip);
  for (const request of open) request.abort();
  open.clear();
  await expect.poll(temporaryFiles).toBe(0);
});
afterAll(async () => {
  await harness.close();
  await origin.close();
});

const temporaryFiles = async (): Promise<number> => (await harness.footprint()).temporaryFiles;

/** Declares a large body and sends its beginning. */
async function halfSent(
  { key }: TestAccount,
  { type = ENCODED, body = 'image_file_b64=AAAA', url = harness.url } = {},
): Promise<RawRequest> {
  const request = await RawRequest.open(url, PATH, {
    'x-api-key': key,
    'content-type': type,
    'content-length': String(LARGE_BYTES),
  });
  open.add(request);
  await request.write(body);
  return request;
}

/** Sends a complete body that needs memory. */
async function arrived({ key }: TestAccount): Promise<RawRequest> {
  const body = base64(15_000);
  const request = await RawRequest.open(harness.url, PATH, {
    'x-api-key': key,
    'content-type': ENCODED,
    'content-length': String(body.length),
  });
  open.add(request);
  await request.write(body);
  return request;
}

async function send(
  account: TestAccount,
  body: BodyInit,
  type?: string,
): Promise<[number, string[], Headers]> {
  const response = await fetch(`${harness.url}/v1.0/removebg`, {
    method: 'POST',
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
    headers: { 'x-api-key': account.key, ...(type === undefined ? {} : { 'content-type': type }) },
  });
  const { errors } = (await response.json()) as { errors: { code: string }[] };
  return [response.status, errors.map(({ code }) => code), response.headers];
}

/** No image, so its response shows that the body was read. */
const base64 = (bytes: number): string =>
  `image_file_b64=${encodeURIComponent(randomBytes(bytes).toString('base64'))}`;
const READ = [400, ['invalid_file_type'], expect.anything()];
const UNFETCHED = [400, ['failed_image_download']];
const FULL = [429, ['rate_limit_exceeded'], expect.anything()];

/** The same body without a declared size. */
const chunked = (body: string): BodyInit => new Blob([body]).stream();

/** Fills the share of an account with bodies that continue to arrive. */
async function fill(
  account: TestAccount,
  sent: { type?: string; body?: string } = {},
): Promise<RawRequest[]> {
  const before = await temporaryFiles();
  const held = [await halfSent(account, sent), await halfSent(account, sent)];
  for (const request of held) drips.push(setInterval(() => void request.write(DRIP), DRIP_MS));
  await expect.poll(temporaryFiles).toBe(before + held.length);
  await expect.poll(() => send(account, base64(300_000), ENCODED)).toEqual(FULL);
  return held;
}

describe('bodies at /v1.0/removebg that are held in memory', () => {
  it('are refused before they are read when those of the account take too much, and then those of all', async () => {
    const [first, second, third] = accounts as [TestAccount, TestAccount, TestAccount];
    await fill(first);
    const refused = await halfSent(first, { body: '' });
    const answer = await refused.answer();
    expect([answer.status, answer.headers['retry-after']]).toEqual([429, '2']);
    expect(await send(second, base64(50_000), ENCODED)).toEqual(READ);
    await fill(second);
    const [status, codes, headers] = await send(third, base64(50_000), ENCODED);
    expect([status, codes, headers.get('retry-after')]).toEqual([503, ['service_unavailable'], '2']);
  });

  it('do not keep files and small bodies of the account from being read', async () => {
    const [account] = accounts as [TestAccount];
    await fill(account);
    const form = new FormData();
    form.append('image_file', new Blob([randomBytes(MAX_BYTES)]), 'photo.jpg');
    expect(await send(account, form)).toEqual(READ);
    expect(await send(account, base64(3_000), ENCODED)).toEqual(READ);
    form.append('image_file_b64', randomBytes(50_000).toString('base64'));
    expect(await send(account, form)).toEqual(FULL);
  });

  it('include fields of forms', async () => {
    const [account] = accounts as [TestAccount];
    const field = multipart([{ name: 'image_file_b64', bytes: 'A'.repeat(40_000) }], { ended: false });
    await fill(account, { type: MULTIPART_TYPE, body: field.toString() });
    expect(await send(account, base64(300_000), ENCODED)).toEqual(FULL);
  });

  it('are canceled when they are too slow', async () => {
    const impatient = await harness.another({ env: { ...env, UPLOAD_IDLE_TIMEOUT_MS: '1000' } });
    try {
      const slow = await halfSent(accounts[0]!, { url: impatient.url });
      const drip = setInterval(() => void slow.write('A'), 100);
      const answer = await slow.answer();
      clearInterval(drip);
      expect([answer.status, answer.body]).toEqual([408, expect.stringContaining('upload_timeout')]);
    } finally {
      await impatient.close();
    }
  });

  it('are canceled when they do not arrive and others wait', async () => {
    const [account] = accounts as [TestAccount];
    const held = [await halfSent(account), await halfSent(account)];
    await expect.poll(() => send(account, base64(300_000), ENCODED), { timeout: 20_000 }).toEqual(READ);
    const answer = await Promise.race(held.map((request) => request.answer()));
    expect([answer.status, answer.body]).toEqual([408, expect.stringContaining('upload_timeout')]);
  });

  it('free their memory when they end or are abandoned', async () => {
    const [account] = accounts as [TestAccount];
    const [abandoned] = await fill(account);
    abandoned!.abort();
    await expect.poll(() => send(account, base64(50_000), ENCODED)).toEqual(READ);
    for (let index = 0; index < 5; index += 1)
      expect(await send(account, base64(MAX_BYTES), ENCODED)).toEqual(READ);
  });

  it('are dropped at once when the client disconnects while they wait, even if they have arrived', async () => {
    const [account] = accounts as [TestAccount];
    const held = await fill(account);
    const waiting = await arrived(account);
    await expect.poll(temporaryFiles).toBe(held.length + 1);
    waiting.abort();
    for (const request of held) request.abort();
    await expect.poll(temporaryFiles, { timeout: 10_000 }).toBe(0);
  });

  it('without a declared size count only when they are long', async () => {
    const [account] = accounts as [TestAccount];
    await fill(account);
    const url = origin.serve('/photo', 'no picture');
    expect(await send(account, chunked(JSON.stringify({ image_url: url })), 'application/json')).toEqual(
      READ,
    );
    expect(await send(account, chunked(base64(15_000)), ENCODED)).toEqual(FULL);
  });

  it('free their memory before anything is fetched for them', async () => {
    const [account] = accounts as [TestAccount];
    const held: ServerResponse[] = [];
    const url = encodeURIComponent(origin.on('/slow', (_, response) => void held.push(response)));
    const bodies = Array.from({ length: 5 }, () => `bg_image_url=${url}&${base64(MAX_BYTES)}`);
    const answers = bodies.map((body) => send(account, body, ENCODED));
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(bodies.length);
    for (const response of held) response.writeHead(404).end();
    for (const [status, codes] of await Promise.all(answers)) expect([status, codes]).toEqual(UNFETCHED);
  });

  it('may be as large as the Base64 of the largest file', async () => {
    const [account] = accounts as [TestAccount];
    const text = randomBytes(MAX_BYTES).toString('base64');
    expect(await send(account, JSON.stringify({ image_file_b64: text }), 'application/json')).toEqual(READ);
    const form = new FormData();
    form.append('image_file_b64', text);
    expect(await send(account, form)).toEqual(READ);
    const tooLarge = [400, ['file_size_exceeded'], expect.anything()];
    const larger = randomBytes(2 * MAX_BYTES).toString('base64');
    form.set('image_file_b64', larger);
    expect(await send(account, form)).toEqual(tooLarge);
    expect(await send(account, JSON.stringify({ image_file_b64: larger }), 'application/json')).toEqual(
      tooLarge,
    );
    expect(await send(account, base64(2 * MAX_BYTES), ENCODED)).toEqual(tooLarge);
  });

  it('are read with one field for the photo: other fields are short', async () => {
    const [account] = accounts as [TestAccount];
    const form = new FormData();
    form.append('photo', new Blob([randomBytes(100_000)]), 'photo.jpg');
    expect(await send(account, form)).toEqual([400, ['invalid_request'], expect.anything()]);
  });
});
