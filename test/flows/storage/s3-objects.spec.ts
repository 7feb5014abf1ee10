import { createHash } from 'node:crypto';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { S3Server } from '../../support/storage/s3-server.js';

describe('objects in S3', { timeout: 400_000 }, () => {
  let server: S3Server;
  let network: CuttableProxy;
  let service: FlowService;
  let client: FlowClient;
  let workerUrls: string[];

  beforeAll(async () => {
    server = await S3Server.start();
    network = await CuttableProxy.start(server.url);
    workerUrls = [await freePort(), await freePort()].map((port) => `http://127.0.0.1:${port}`);
    const env = server.environment(new URL(network.urlOf(server.url)).origin);
    service = await FlowService.start({ models: ['upscale'], env, roles: ['api', 'dispatcher'] });
    // One after the other: workers that start at the same time may need to try the same models.
    for (const url of workerUrls) await service.startRole('worker', { WORKER_PORT: new URL(url).port });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.close();
    await network?.close();
    await server?.close();
  });

  async function keys(): Promise<string[]> {
    const s3 = server.client();
    const page = await s3.send(new ListObjectsV2Command({ Bucket: server.bucket, Prefix: 'service/' }));
    s3.destroy();
    return (page.Contents ?? []).map(({ Key = '' }) => Key.slice('service/'.length));
  }

  const isReady = async (url: string): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${url}/health/ready`);
    return { status: answer.status, text: await answer.text() };
  };

  it('are used from upload to deletion, and DATA_DIR stays empty', async () => {
    const photo = await solidFile(40, 30, [120, 90, 60]);
    const source = await client.upload(photo);
    const { job, bytes } = await client.enhanceSource(source.url, { operation: 'upscale' });
    expect(job).toMatchObject({ status: 'completed', result: { width: 80, bytes: bytes.length } });
    const part = await fetch(job.resultUrl!, { headers: { range: 'bytes=10-19' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(10, 20));
    expect(await client.bytesAt(source.url)).toEqual(Buffer.from(photo));
    expect(await service.files()).toEqual({ sources: [], results: [], thumbnails: [], temporary: [] });
    expect(await keys()).toEqual(
      expect.arrayContaining([expect.stringContaining(source.id), `results/${job.id}-1.png`]),
    );
    await client.deleteSource(source.id);
    expect((await client.request('DELETE', `/api/ai/enhance/${job.id}`)).status).toBe(204);
    const left = await keys();
    expect(left.filter((key) => key.includes(source.id) || key.includes(job.id))).toEqual([]);
  });

  it('leave the logs in JSON, which the AWS SDK does not write', () => {
    for (const role of ['api', 'dispatcher', 'worker'] as const) {
      const lines = service.role(role).log.trim().split('\n');
      for (const line of lines) expect(line).toMatch(/^\{.*\}$/);
    }
  });

  it('wait out an outage of the store: no job fails, and all complete afterwards', async () => {
    const busy = await busyFile(400);
    const { url } = await client.upload(busy);
    const jobs = await Promise.all([1, 2, 3, 4, 5, 6].map(() => client.create(url, BUSY_ORDER)));
    await client.until(jobs[0]!.id, 'processing', 'completed');
    await network.cut();
    for (const ready of [service.baseUrl, ...workerUrls]) {
      await eventually(`${ready} to notice`, async () => {
        const seen = await isReady(ready);
        return seen.status === 503 && seen.text.includes('storage') ? { found: true } : { seen };
      });
    }
    // The cause is for operators: in the log, and in the response of a worker, which clients cannot reach.
    for (const worker of workerUrls)
      expect((await isReady(worker)).text).toMatch(/^not ready: storage: unavailable, \w*Error/);
    expect(await isReady(service.baseUrl)).toMatchObject({ text: expect.not.stringContaining('Error') });
    expect(service.role('api').log).toMatch(/Not ready: database ok, storage unavailable\. \w*Error: /);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(busy)]), 'picture');
    const refused = await client.request('POST', '/api/ai/upload', form);
    expect(refused).toMatchObject({ status: 503, json: { code: 'service_unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const returned = await eventually('a job to be given back', async () => {
      const seen = await Promise.all(jobs.map(({ id }) => client.job(id)));
      expect(seen.filter(({ status }) => status === 'failed')).toEqual([]);
      const rows = await service.database.rows<{ faults: number }>(
        'SELECT sum(machine_faults)::int AS faults FROM jobs',
      );
      return rows[0]!.faults > 0 ? { found: rows[0]!.faults } : { seen };
    });
    expect(returned).toBeGreaterThan(0);
    await network.mend();
    for (const { id } of jobs) {
      const job = await client.completed(id);
      expect(job).toMatchObject({ attempts: 1, error: null });
      const result = await client.bytesAt(job.resultUrl!);
      expect(result).toHaveLength(job.result!.bytes);
      expect(createHash('sha256').update(result).digest('hex')).toBe(
        (await service.database.job(id))['result_sha256'],
      );
      expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    }
    for (const ready of [service.baseUrl, ...workerUrls]) {
      await eventually(`${ready} to be ready again`, async () => {
        const seen = await isReady(ready);
        return seen.status === 200 ? { found: true } : { seen };
      });
    }
  });
});
