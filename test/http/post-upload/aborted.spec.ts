import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { jpegOfBytes } from '../../support/images/images.js';
import { fileBody, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

const logged: unknown[] = [];
let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  const ignore = () => undefined;
  harness = await startHarness({
    logger: { log: ignore, warn: ignore, error: (...given: unknown[]) => logged.push(given) },
  });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('POST /api/ai/upload, aborted', () => {
  it.each(['content-length', 'transfer-encoding'])('leaves nothing behind (%s)', async (framing) => {
    const body = fileBody(await jpegOfBytes(2 ** 20));
    const before = await harness.footprint();
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      ...(framing === 'content-length'
        ? { 'content-length': String(body.length) }
        : { 'transfer-encoding': 'chunked' }),
    });
    const half = body.subarray(0, body.length / 2);
    await (framing === 'content-length' ? request.write(half) : request.writeChunk(half));
    await until(async () => (await harness.footprint()).temporaryFiles === before.temporaryFiles + 1);
    request.abort();
    await until(async () => (await harness.footprint()).temporaryFiles === before.temporaryFiles);
    expect(await harness.footprint()).toEqual(before);
    // A client that disconnects is not an error of the service.
    expect(logged).toEqual([]);
  });
});
