import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { IdempotencyService } from '../../../src/idempotency/idempotency.service.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { JobsService } from '../../../src/jobs/jobs.service.js';
import { CompatService } from '../../support/app/compat-service.js';
import { photo } from '../../support/images/images.js';
import { ImageOrigin } from '../../support/network/image-origin.js';
import { UnconfirmedCommit } from '../../../src/infra/database/database-errors.js';

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
afterEach(async () => {
  vi.restoreAllMocks();
  await service.expectErased();
});
afterAll(async () => {
  await service.harness.close();
  await origin.close();
});

const AWAY = new Error('Connection terminated unexpectedly');
/** PostgreSQL canceled a statement, which is then certain to have changed nothing. */
const CANCELED = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });

type Send = () => readonly [path: string, init: RequestInit];

function post(path: string, field: string, headers: Record<string, string> = {}): ReturnType<Send> {
  const body = new FormData();
  body.append(field, new Blob([new Uint8Array(bytes)]), 'photo.jpg');
  return [path, { method: 'POST', body, headers }];
}

const REQUESTS: readonly (readonly [name: string, send: Send])[] = [
  ['GET /api/remove', () => [`/api/remove?url=${encodeURIComponent(origin.serve('/photo.jpg', bytes))}`, {}]],
  ['POST /api/remove', () => post('/api/remove', 'file')],
  ['POST /api/remove with a key', () => post('/api/remove', 'file', { 'idempotency-key': 'once' })],
  ['POST /v1.0/removebg', () => post('/v1.0/removebg', 'image_file')],
];

/** The detail of a 503, which promises nothing that is untrue for these routes. */
async function detailOf(response: Response): Promise<string> {
  const text = await response.text();
  expect([response.status, response.headers.get('retry-after')], text).toEqual([503, '5']);
  const body = JSON.parse(text) as { detail?: string; errors?: { detail: string }[] };
  const detail = body.detail ?? body.errors![0]!.detail;
  expect(detail).not.toMatch(/Nothing was changed|Idempotency-Key/);
  return detail;
}

async function queued(): Promise<readonly { id: string }[]> {
  return service.harness.rows("SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued'", [
    service.account.id,
  ]);
}

describe.each(REQUESTS)('%s while the database is unavailable', (_, send) => {
  it.each([AWAY, CANCELED])(
    'says that the job was charged if its result cannot be read: %s',
    async (fault) => {
      const { app } = service.harness;
      const jobs = app.get(JobsService);
      const waitForNew = jobs.waitForNew.bind(jobs);
      vi.spyOn(jobs, 'waitForNew').mockImplementationOnce(async (...args) => {
        const job = await waitForNew(...args);
        vi.spyOn(app.get(JobsRepository), 'read').mockRejectedValueOnce(fault);
        return job;
      });
      expect(await detailOf(await service.answered(...send()))).toMatch(/was carried out and charged/);
    },
  );

  it('says that the job may be charged if its creation was not confirmed', async () => {
    const idempotency = service.harness.app.get(IdempotencyService);
    const run = idempotency.run.bind(idempotency);
    vi.spyOn(idempotency, 'run').mockImplementationOnce(async (request, work) => {
      await run(request, work);
      throw new UnconfirmedCommit(AWAY);
    });
    expect(await detailOf(await service.fetch(...send()))).toMatch(/may have been carried out and charged/);
    const [job] = await queued();
    await service.harness.call('DELETE', `/api/ai/enhance/${job!.id}`, { key: service.account.key });
  });

  it.each([AWAY, CANCELED])('says that nothing was charged if no job was created: %s', async (fault) => {
    vi.spyOn(service.harness.app.get(IdempotencyService), 'run').mockRejectedValueOnce(fault);
    expect(await detailOf(await service.fetch(...send()))).toMatch(/Nothing was charged/);
    expect(await queued()).toEqual([]);
  });
});
