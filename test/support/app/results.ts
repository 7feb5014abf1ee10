import { expect } from 'vitest';
import type { Harness, TestAccount } from './harness.js';

/** A completed job, as its URL describes it. */
export interface ResultAnswer {
  readonly id: string;
  readonly resultUrl: string;
  readonly result: { readonly bytes: number; readonly sha256: string; readonly expiresAt: string };
}

/** Creates a result and expects success. */
export async function newResult(
  harness: Harness,
  account: TestAccount,
  bytes: Buffer = Buffer.from('result pixels'),
  retentionSeconds = 3_600,
): Promise<ResultAnswer> {
  const { id } = await harness.newJob(account);
  await harness.jobs.complete(id, bytes, retentionSeconds);
  const { status, body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
  expect(status).toBe(200);
  return body as ResultAnswer;
}
