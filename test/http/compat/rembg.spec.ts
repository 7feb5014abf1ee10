import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ObjectErasures } from '../../../src/infra/storage/object-erasures.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { JobsService } from '../../../src/jobs/jobs.service.js';
import { OverdueJobs } from '../../../src/jobs/queue/overdue-jobs.js';
import { OverdueJobsRepository } from '../../../src/jobs/queue/overdue-jobs.repository.js';
import { CompatService } from '../../support/app/compat-service.js';
import { jobSweepsOf } from '../../support/dispatcher/job-sweeps.js';
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

  it('answers HEAD with 405, and charges nothing', async () => {
    const url = encodeURIComponent(origin.serve('/photo.jpg', bytes));
    const before = await service.harness.footprint();
    const head = await service.answered(`${PATH}?url=${url}`, { method: 'HEAD' });
    const put = await service.fetch(PATH, { method: 'PUT' });
    for (const { status, headers } of [head, put])
      expect([status, headers.get('allow')]).toEqual([405, 'GET, POST']);
    expect(await service.harness.footprint()).toEqual(before);
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

  describe('when the picture is not ready in time', () => {
    afterEach(() => void vi.restoreAllMocks());

    /** The response to a request that cannot wait for its job. */
    async function late(): Promise<{ status: number; detail: string }> {
      vi.spyOn(service.harness.app.get(JobsService), 'mayWait').mockReturnValueOnce(false);
      const [status, body] = await problemOf(await service.fetch(PATH, form()));
      return { status, detail: (body as { detail: string }).detail };
    }

    /** Like `late`, and the api can't write to jobs afterward. */
    async function abandoned(): Promise<{ detail: string; id: string }> {
      await service.harness.rows(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'not now'; END $$`);
      await service.harness.rows(
        'CREATE TRIGGER refuse BEFORE UPDATE ON jobs FOR EACH ROW EXECUTE FUNCTION refuse()',
      );
      try {
        const { status, detail } = await late();
        expect(status).toBe(503);
        const [job] = await service.harness.rows<{ id: string }>(
          "SELECT id FROM jobs WHERE account_id = $1 AND status = 'queued'",
          [service.account.id],
        );
        return { detail, id: job!.id };
      } finally {
        await service.harness.rows('DROP FUNCTION refuse CASCADE');
      }
    }

    it('returns 503 and cancels the job', async () => {
      expect(await late()).toEqual({
        status: 503,
        detail: expect.stringMatching(/The job was canceled and not charged/) as unknown,
      });
    });

    it('says that the request may have been carried out if the job could not be canceled', async () => {
      const { detail, id } = await abandoned();
      expect(detail).toMatch(/may have been carried out/);
      expect(detail).not.toMatch(/not charged/);
      // The sweep erases the result, and with it the photo.
      const [job] = await service.harness.rows<{ seconds: number }>(
        'SELECT expires_in AS seconds FROM jobs WHERE id = $1',
        [id],
      );
      expect(job!.seconds).toBeLessThanOrEqual(600);
      await service.harness.jobs.complete(id, service.result);
      await service.harness.rows('UPDATE jobs SET result_expires_at = now() WHERE id = $1', [id]);
      const expired = await service.harness.app.get(JobsRepository).expiredResults(10);
      expect(expired).toEqual([id]);
      const { app } = service.harness;
      await app.get(JobCompletion).eraseResult(id);
      await new ObjectErasures(app.get(Database), app.get(ObjectStore)).erase(10);
    });

    it('cancels an abandoned job soon after the request would have ended', async () => {
      const { id } = await abandoned();
      const [job] = await service.harness.rows<{ seconds: number }>(
        'SELECT extract(epoch FROM cancel_at - created_at)::int AS seconds FROM jobs WHERE id = $1',
        [id],
      );
      expect(job!.seconds).toBeGreaterThan(60);
      expect(job!.seconds).toBeLessThanOrEqual(120);
      await service.harness.rows('UPDATE jobs SET cancel_at = now() WHERE id = $1', [id]);
      const overdue = new OverdueJobsRepository(service.harness.app.get(Database));
      await new OverdueJobs(overdue, service.harness.app.get(JobCompletion)).cancel();
      const { key } = service.account;
      const { body } = await service.harness.call('GET', `/api/ai/enhance/${id}`, { key });
      expect(body).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
      // The sweep erases the photo when a result would have expired.
      await service.harness.rows('UPDATE jobs SET result_expires_at = now() WHERE id = $1', [id]);
      await jobSweepsOf(service.harness).sweep();
      const { body: sources } = await service.harness.call('GET', '/api/ai/sources', { key });
      expect(sources).toMatchObject({ data: [] });
    });
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
