import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SmallDisk } from '../../support/roles/small-disk.js';

/** Files of jobs below a scratch folder. */
async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => error,
  );
  if (!Array.isArray(entries)) {
    const { code, path } = entries as NodeJS.ErrnoException;
    // The folder of a job was deleted while it was being read.
    if (code === 'ENOENT' && path !== dir) return filesIn(dir);
    throw entries;
  }
  return (entries as readonly Dirent[])
    .filter((entry) => entry.isFile() && entry.name !== 'owner.json')
    .map(({ name }) => name);
}

/** Waits until they are gone; fails naming what stays. */
const whenEmpty = (dir: string): Promise<string[]> =>
  eventually('an empty scratch folder', async () => {
    const names = await filesIn(dir);
    return names.length === 0 ? { found: names } : { seen: names };
  });

describe('the files of jobs in hand', () => {
  let service: FlowService;
  let client: FlowClient;
  let scratch: string;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['upscale'], env: { JOB_LEASE_MS: '1500' } });
    client = await service.client();
    scratch = join(service.dataDir, 'scratch');
  });
  afterAll(() => service?.close());

  const atWork = async (): Promise<string> => {
    const { url } = await client.upload(await busyFile(480));
    const { id } = await client.create(url, BUSY_ORDER);
    await eventually('the pixels of the job in a file', async () => {
      const names = await filesIn(scratch);
      return names.includes('result-0.tif') ? { found: names } : { seen: names };
    });
    return id;
  };

  it('are gone when the job is done', async () => {
    await client.completed(await atWork());
    expect(await whenEmpty(scratch)).toEqual([]);
  });

  it('are gone when the job is canceled', async () => {
    const id = await atWork();
    expect(await client.request('POST', `/api/ai/enhance/${id}/cancel`)).toMatchObject({ status: 200 });
    expect(await whenEmpty(scratch)).toEqual([]);
  });

  it('outlive a worker that is killed, and not the start of the next one', async () => {
    const id = await atWork();
    await service.killRole('worker');
    expect(await filesIn(scratch)).toContain('result-0.tif');
    const left = await readdir(scratch);
    await service.startRole('worker');
    expect((await readdir(scratch)).filter((name) => left.includes(name))).toEqual([]);
    expect(await client.completed(id)).toMatchObject({ attempts: 2 });
  });

  it('are gone, with their folder, when the worker ends', async () => {
    await service.stopRole('worker');
    expect(await readdir(scratch)).toEqual([]);
    await service.startRole('worker');
  });
});

/** The source of `busyFile(480)` has 0.7 MB of pixels, its result 11 MB. */
const disk = SmallDisk.mount(4 * 2 ** 20);

describe.skipIf(disk === undefined)('a scratch disk without room (needs the right to mount)', () => {
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await FlowService.start({
      models: ['upscale'],
      env: { SCRATCH_DIR: disk!.dir, JOB_MAX_RETURNS: '3' },
    });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
    disk?.remove();
  });

  it('ends a job that needs more with a reason, costs nothing and leaves nothing; others go on', async () => {
    const { url } = await client.upload(await busyFile(480));
    const { id } = await client.create(url, BUSY_ORDER);
    const job = await client.until(id, 'failed', 'completed');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'service_unavailable' } });
    expect(job.error!.message).toContain('no room left');
    expect(await service.database.ledger(id)).toEqual(['refund', 'reserve']);
    expect((await client.usage()).enhancements.used).toBe(0);
    expect((await service.files()).results).toEqual([]);
    await eventually('an empty scratch folder', async () => {
      const names = await filesIn(disk!.dir);
      return names.length === 0 ? { found: true } : { seen: names };
    });
    const small = await client.enhance(await solidFile(64, 64, [90, 120, 60]), BUSY_ORDER);
    expect(small.job.result).toMatchObject({ width: 256, height: 256 });
  });
});
