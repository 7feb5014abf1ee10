import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';
import { fileBody, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

const LIMIT = 3;

let harness: Harness;
let account: TestAccount;
let body: Buffer;
const open = new Set<RawRequest>();
beforeAll(async () => {
  harness = await startHarness({
    env: { MAX_UPLOADS_PER_KEY: String(LIMIT), UPLOAD_IDLE_TIMEOUT_MS: '4000', UPLOAD_SLOT_WAIT_MS: '200' },
  });
  account = await harness.createAccount();
  body = fileBody(await photo(64, 64, 'jpeg'));
});
afterEach(() => {
  for (const request of open) request.abort();
  open.clear();
});
afterAll(() => harness.close());

async function halfSent(
  credentials: Readonly<Record<string, string>>,
  path = '/api/ai/upload',
  at: Harness = harness,
): Promise<RawRequest> {
  const request = await RawRequest.open(at.url, `POST ${path}`, {
    ...credentials,
    'content-type': MULTIPART_TYPE,
    'content-length': String(body.length),
  });
  open.add(request);
  await request.write(body.subarray(0, body.length / 2));
  return request;
}

const temporaryFiles = async (): Promise<number> => (await harness.footprint()).temporaryFiles;

/** As many half-sent uploads as a key may have, all of them known to the service. */
async function fillSlots(key: string): Promise<RawRequest[]> {
  const held = [];
  for (let index = 0; index < LIMIT; index += 1) held.push(await halfSent({ 'x-api-key': key }));
  await expect.poll(temporaryFiles).toBe(LIMIT);
  return held;
}

const uploadStatus = async (key: string): Promise<number> =>
  (await harness.upload(key, await photo(32, 32, 'png'))).status;

describe('POST /api/ai/upload → 429 too_many_uploads', () => {
  it('refuses an upload beyond the limit of the key before it reads the body', async () => {
    await fillSlots(account.key);
    const before = await harness.footprint();
    // Only the headers are sent, so an answer shows that the service did not wait for the body.
    const refused = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'content-length': String(20 * 2 ** 20),
    });
    open.add(refused);
    const answer = await refused.answer();
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'too_many_uploads',
      detail: expect.stringContaining(`${LIMIT} uploads are already in progress`) as unknown,
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
    expect(await harness.footprint()).toEqual(before);
  });

  it('counts each key separately', async () => {
    const other = await harness.createKey(account);
    await fillSlots(account.key);
    // Concurrently, because half-sent uploads are dropped after a while.
    const statuses = await Promise.all([other, account].map(({ key }) => uploadStatus(key)));
    expect(statuses).toEqual([201, 429]);
  });

  it('admits exactly as many of 40 concurrent uploads as there are slots', async () => {
    const { key } = await harness.createAccount();
    const held = await Promise.all(Array.from({ length: 40 }, () => halfSent({ 'x-api-key': key })));
    await expect.poll(temporaryFiles).toBe(LIMIT);
    const refused = await Promise.all(held.map((request) => request.answer()));
    const statuses = refused.map(({ status }) => status).toSorted((a, b) => a - b);
    // The admitted uploads send only half of their body, so they are dropped in the end.
    expect(statuses).toEqual([
      ...Array.from({ length: LIMIT }, () => 408),
      ...Array.from({ length: 40 - LIMIT }, () => 429),
    ]);
  });

  it('lets a burst of short uploads through, even if they outnumber the slots', async () => {
    const patient = await harness.another({
      env: { MAX_UPLOADS_PER_KEY: '2', UPLOAD_SLOT_WAIT_MS: '20000' },
    });
    try {
      const bytes = await photo(16, 16, 'png');
      const answers = await Promise.all(Array.from({ length: 20 }, () => patient.upload(account.key, bytes)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    } finally {
      await patient.close();
    }
  });

  it('gives no slot to a client that disconnects while it waits for one', async () => {
    const patient = await harness.another({
      env: { MAX_UPLOADS_PER_KEY: '1', UPLOAD_SLOT_WAIT_MS: '20000' },
    });
    try {
      const first = await halfSent({ 'x-api-key': account.key }, '/api/ai/upload', patient);
      await expect.poll(temporaryFiles).toBe(1);
      const second = await halfSent({ 'x-api-key': account.key }, '/api/ai/upload', patient);
      await new Promise((resolve) => setTimeout(resolve, 200));
      second.abort();
      await new Promise((resolve) => setTimeout(resolve, 200));
      first.abort();
      const { status } = await patient.upload(account.key, await photo(16, 16, 'png'));
      expect(status).toBe(201);
    } finally {
      await patient.close();
    }
  });

  it('frees the slot when the client disconnects', async () => {
    const [first] = await fillSlots(account.key);
    first!.abort();
    await expect.poll(() => uploadStatus(account.key)).toBe(201);
  });

  it('frees the slots of senders that are too slow', async () => {
    const held = await fillSlots(account.key);
    const drip = setInterval(() => held.forEach((request) => void request.write('x')), 100);
    try {
      const answers = await Promise.all(held.map((request) => request.answer()));
      expect(answers.map(({ status }) => status)).toEqual(held.map(() => 408));
    } finally {
      clearInterval(drip);
    }
    expect(await uploadStatus(account.key)).toBe(201);
  });

  it('frees the slot of an upload that fails or succeeds', async () => {
    for (let index = 0; index < 2 * LIMIT; index += 1) {
      const { status } = await harness.upload(account.key, Buffer.from('no image at all'));
      expect(status).toBe(415);
      expect(await uploadStatus(account.key)).toBe(201);
    }
  });

  it('lets a slow sender finish as long as it makes progress', async () => {
    const small = await harness.another({
      env: { UPLOAD_IDLE_TIMEOUT_MS: '600', UPLOAD_MIN_PROGRESS_BYTES: '50' },
    });
    try {
      const request = await RawRequest.open(small.url, 'POST /api/ai/upload', {
        'x-api-key': account.key,
        'content-type': MULTIPART_TYPE,
        'content-length': String(body.length),
        connection: 'close',
      });
      const step = Math.ceil(body.length / 10);
      expect(step).toBeGreaterThan(50);
      for (let at = 0; at < body.length; at += step) {
        await request.write(body.subarray(at, at + step));
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
      expect((await request.answer()).status).toBe(201);
    } finally {
      await small.close();
    }
  });

  it('counts dashboard uploads per account, separately from those of its keys', async () => {
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const headers = { cookie: browser.cookie!, 'x-csrf-token': browser.csrfToken! };
    const upload = async () =>
      browser.call('POST', '/ai/upload', { file: { bytes: await photo(16, 16, 'png'), name: 'a.png' } });
    await fillSlots(account.key);
    expect((await upload()).status).toBe(201);
    for (let index = 0; index < LIMIT; index += 1) await halfSent(headers, '/dashboard/api/ai/upload');
    await expect.poll(temporaryFiles).toBe(2 * LIMIT);
    const { status, body: problem } = await upload();
    expect({ status, problem: problem as unknown }).toMatchObject({
      status: 429,
      problem: { code: 'too_many_uploads' },
    });
  });
});
