import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import type { FlowRole } from '../../support/roles/flow-role.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SmallDisk } from '../../support/roles/small-disk.js';

const MB = 2 ** 20;
const RESERVE_BYTES = 4 * MB;

const disk = SmallDisk.mount(256 * MB);
const scratchDisk = SmallDisk.mount(96 * MB);
const tinyDisk = SmallDisk.mount(8 * MB);

afterAll(() => {
  disk?.remove();
  scratchDisk?.remove();
  tinyDisk?.remove();
});

const fillerOf = (dir: string): string => join(dir, 'filler');

/** Leaves that many bytes free on the file system of a folder; with 0, a job may take the last of them meanwhile. */
async function fill(dir: string, leaveBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  const bytes = Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes));
  await writeFile(fillerOf(dir), bytes).catch((error: NodeJS.ErrnoException) => {
    if (leaveBytes > 0 || error.code !== 'ENOSPC') throw error;
  });
}

const empty = (dir: string): Promise<void> => rm(fillerOf(dir), { force: true });

const disks = [disk, scratchDisk, tinyDisk];

/** One service for all tests, whose workers change. */
describe.skipIf(disks.includes(undefined))('a full disk (needs the right to mount)', () => {
  let service: FlowService;
  let client: FlowClient;
  let workerUrl: string;
  let healthy: FlowRole;

  beforeAll(async () => {
    const workerPort = await freePort();
    workerUrl = `http://127.0.0.1:${workerPort}`;
    service = await FlowService.start({
      models: ['upscale'],
      env: {
        DATA_DIR: disk!.dir,
        DISK_RESERVE_BYTES: String(RESERVE_BYTES),
        WORKER_PORT: String(workerPort),
        JOB_MAX_RETURNS: '50',
      },
    });
    healthy = service.role('worker');
    client = await service.client();
  });
  afterEach(() => empty(disk!.dir));
  afterAll(() => service?.close());

  const readyOf = async (url: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${url}/health/ready`);
    return { status: answer.status, text: await answer.text() };
  };

  it('fails no accepted job: jobs wait and complete once there is space again', async () => {
    const { url } = await client.upload(await solidFile(32, 32, [9, 9, 9]));
    await fill(disk!.dir, RESERVE_BYTES / 2);
    const jobs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => client.create(url, BUSY_ORDER)));
    await eventually('the worker to notice', async () => {
      const seen = await readyOf(workerUrl);
      return seen.status === 503 ? { found: true } : { seen };
    });
    for (const { id } of jobs)
      expect(await client.job(id)).toMatchObject({ status: 'queued', attempts: 0, error: null });
    await empty(disk!.dir);
    for (const { id } of jobs) {
      expect(await client.completed(id)).toMatchObject({ attempts: 1, error: null });
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    }
    expect((await readyOf(workerUrl)).status).toBe(200);
  });

  it('gives running jobs back when it fills up, without failing any or counting an attempt', async () => {
    const { url } = await client.upload(await busyFile(320));
    const jobs = await Promise.all([1, 2, 3, 4].map(() => client.create(url, BUSY_ORDER)));
    await client.until(jobs[0]!.id, 'processing', 'completed');
    await fill(disk!.dir, 0);
    await eventually('the worker to notice', async () => {
      const seen = await readyOf(workerUrl);
      return seen.text.includes('storage: full') ? { found: true } : { seen };
    });
    await empty(disk!.dir);
    for (const { id } of jobs) expect(await client.completed(id)).toMatchObject({ attempts: 1, error: null });
  });

  it('makes the api refuse uploads before reading them; the rest works, and frees space', async () => {
    const file = await solidFile(64, 64, [9, 9, 9]);
    const kept = await client.upload(file);
    await fill(disk!.dir, RESERVE_BYTES / 2);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), 'picture');
    const refused = await client.request('POST', '/api/ai/upload', form);
    expect(refused).toMatchObject({ status: 503, json: { code: 'service_unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const ready = await readyOf(service.baseUrl);
    expect(ready.status).toBe(200);
    expect(JSON.parse(ready.text)).toEqual({
      status: 'ok',
      checks: { database: 'ok', storage: 'full' },
      freeBytes: expect.any(Number),
    });
    expect(await client.bytesAt(kept.url)).toEqual(Buffer.from(file));
    await client.deleteSource(kept.id);
    await empty(disk!.dir);
    expect(JSON.parse((await readyOf(service.baseUrl)).text)).toMatchObject({ checks: { storage: 'ok' } });
    await client.upload(file);
  });

  it('is visible in the metric of free bytes', async () => {
    const text = await (await fetch(`${workerUrl}/metrics`)).text();
    for (const name of ['scratch', 'objects'])
      expect(text).toMatch(new RegExp(`^ies_disk_free_bytes\\{.*disk="${name}".*\\} \\d{5,}$`, 'm'));
  });

  describe('with a second worker that has a full SCRATCH_DIR', () => {
    let broken: FlowRole;

    beforeAll(async () => {
      await fill(scratchDisk!.dir, 64 * 1024);
      broken = await service.startRole('worker', { SCRATCH_DIR: scratchDisk!.dir, WORKER_PORT: '0' });
    });

    it('completes every job: the healthy worker does the work', async () => {
      const { url } = await client.upload(await busyFile(64));
      const jobs = await Promise.all(Array.from({ length: 12 }, () => client.create(url, BUSY_ORDER)));
      for (const { id } of jobs) {
        expect(await client.completed(id)).toMatchObject({ attempts: 1, error: null });
      }
      expect(broken.isRunning).toBe(true);
      expect(broken.log).toContain('not taking jobs until disks and object store are writable');
    });

    // oxlint-disable-next-line vitest/expect-expect -- it waits for a line of the log
    it('works again in the other worker once it has space', async () => {
      await empty(scratchDisk!.dir);
      await eventually('the worker to recover', () =>
        broken.log.includes('disks and object store are writable again')
          ? { found: true }
          : { seen: broken.log },
      );
      await broken.terminate();
    });
  });

  it('leaves a job that a small SCRATCH_DIR cannot hold to another worker, and counts no return', async () => {
    await healthy.terminate();
    await service.startRole('worker', { SCRATCH_DIR: tinyDisk!.dir });
    const countsOf = (id: string) =>
      service.database.rows('SELECT claims, attempts, machine_faults FROM jobs WHERE id = $1', [id]);
    const large = await client.create(
      (await client.upload(await solidFile(400, 400, [9, 9, 9]))).url,
      BUSY_ORDER,
    );
    const { url } = await client.upload(await solidFile(16, 16, [9, 9, 9]));
    // The large one comes first.
    for (const { id } of [await client.create(url, BUSY_ORDER), await client.create(url, BUSY_ORDER)])
      await client.completed(id);
    expect(await countsOf(large.id)).toEqual([{ claims: 0, attempts: 0, machine_faults: 0 }]);
    await service.startRole('worker', { SCRATCH_DIR: scratchDisk!.dir, WORKER_PORT: '0' });
    await client.completed(large.id);
    expect(await countsOf(large.id)).toEqual([{ claims: 1, attempts: 1, machine_faults: 0 }]);
  });
});
