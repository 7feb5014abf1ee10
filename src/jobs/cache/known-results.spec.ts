import { describe, expect, it } from 'vitest';
import type { JobModel } from '../job.entity.js';
import type { JobWithSource } from '../job-presenter.js';
import { KnownResults } from './known-results.js';

const models = [{ name: 'upscale', sha256: 'a' }] as unknown as JobModel[];
const request = { accountId: 'acc_1', requestHash: Buffer.from('hash'), models };
const jobUntil = (ms: number) =>
  ({ id: 'job_1', metadata: { order: '7' }, resultExpiresAt: new Date(ms) }) as unknown as JobWithSource;

function known(job = jobUntil(Date.now() + 60_000)) {
  const results = new KnownResults();
  results.add(request, job);
  return results;
}

describe('known results', () => {
  it('have what a new job needs, without the metadata of the client', () => {
    expect(known().job(request)).toMatchObject({ id: 'job_1', metadata: {} });
  });

  it('belong to one account, one request, and one set of model files', () => {
    expect(known().job({ ...request, accountId: 'acc_2' })).toBeUndefined();
    expect(known().job({ ...request, requestHash: Buffer.from('other') })).toBeUndefined();
    const others = [{ name: 'upscale', sha256: 'b' }] as unknown as JobModel[];
    expect(known().job({ ...request, models: others })).toBeUndefined();
  });

  it('are not returned shortly before they expire, or after they are forgotten', () => {
    expect(known(jobUntil(Date.now() + 9_000)).job(request)).toBeUndefined();
    const results = known();
    results.forget(request);
    expect(results.job(request)).toBeUndefined();
  });
});
