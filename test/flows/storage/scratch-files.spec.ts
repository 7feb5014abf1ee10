import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SmallDisk } from '../../support/roles/small-disk.js';

/** The files of jobs below a scratch folder. */
async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => error,
  );
  if (!Array.isArray(entries)) {
    const { code, path } = entries as NodeJS.ErrnoException;
    // The folder of a job was deleted while the test was reading it.
    if (code === 'ENOENT' && path !== dir) return filesIn(dir);
    throw entries;
  }
  return (entries as readonly Dirent[])
    .filter((entry) => entry.isFile() && entry.name !== 'owner.json')
    .map(({ name }) => name);
}

/** Waits until all files are gone; a failure names those that stay. */
const whenEmpty = (dir: string): Promise<string[]> =>
  eventually('an empty scratch folder', async () => {
    const names = await filesIn(dir);
    return names.length === 0 ? { found: names } : { seen: names };
  });

describe('the scratch files of running jobs', () => {
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

  it('are deleted when the job completes', async () => {
    await client.completed(await atWork());
    expect(await whenEmpty(scratch)).toEqual([]);
  });

  it('are deleted when the job is canceled', async () => {
    const id = await atWork();
    expect(await client.request('POST', `/api/ai/enhance/${id}/cancel`)).toMatchObject({ status: 200 });
    expect(await whenEmpty(scratch)).toEqual([]);
  });

  it('survive a killed worker, but not the start of the next one', async () => {
    const id = await atWork();
    await service.killRole('worker');
    expect(await filesIn(scratch)).toContain('result-0.tif');
    const left = await readdir(scratch);
    await service.startRole('worker');
    expect((await readdir(scratch)).filter((name) => left.includes(name))).toEqual([]);
    expect(await client.completed(id)).toMatchObject({ attempts: 2 });
  });

  it('are deleted with their folder when the worker exits', async () => {
    await service.stopRole('worker');
    expect(await readdir(scratch)).toEqual([]);
    await service.startRole('worker');
  });
});

/** The source of `busyFile(480)` has 0.7 MB of pixels, its result 11 MB. */
const disk = SmallDisk.mount(4 * 2 ** 20);

describe.skipIf(disk === undefined)('a full scratch disk (needs the right to mount)', () => {
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    service = await FlowService.start({
      models: ['upscale'],
      env: { SCRATCH_DIR: disk!.dir, JOB_MAX_RETURNS: '3', JOB_UNSERVED_MS: '60000' },
    });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
    disk?.remove();
  });

  it('fails a job that needs more space, at no charge and without leftovers, while others complete', async () => {
    const { url } = await client.upload(await busyFile(480));
    const { id } = await client.create(url, BUSY_ORDER);
    const job = await client.until(id, 'failed', 'completed');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'service_unavailable' } });
    expect(job.error!.message).toContain('needs more disk space than the machines of the service have');
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
