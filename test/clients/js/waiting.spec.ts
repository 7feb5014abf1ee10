import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ImageEnhancement, type JobState } from '../../../clients/js/src/node.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { BUSY_ORDER, busyFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { recordingFetch } from '../../support/clients/recording-fetch.js';

const ORDER = { operation: 'upscale', level: 'low' } as const;

describe('waiting for a job', () => {
  let service: FlowService;
  let key: string;
  let busyUrl: string;
  let smallUrl: string;
  let proxy: CuttableProxy | undefined;

  beforeAll(async () => {
    // File URLs that expire soon, for the last test.
    service = await FlowService.start({ models: ['upscale'], env: { FILE_URL_TTL_SECONDS: '2' } });
    key = (await service.client()).account.key;
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key });
    busyUrl = (await client.upload(await busyFile(500))).url;
    smallUrl = (await client.upload(await smallPhoto())).url;
  });
  afterEach(async () => {
    await proxy?.close();
    proxy = undefined;
  });
  afterAll(() => service?.close());

  const clientWith = (fetch: typeof globalThis.fetch, baseUrl = service.baseUrl) =>
    new ImageEnhancement({ baseUrl, apiKey: key, fetch });
  const notFound = () => Response.json({ status: 404, code: 'not_found', errors: [] }, { status: 404 });

  it('uses one request for the event stream, however long it takes', async () => {
    const { fetch, requests } = recordingFetch();
    const client = clientWith(fetch);
    const { id } = await client.jobs.create({ sourceUrl: busyUrl, ...BUSY_ORDER });
    const states: JobState[] = [];
    const job = await client.jobs.wait(id, { onProgress: (state) => states.push(state) });
    expect(job.status).toBe('completed');
    expect(requests.slice(1).map(({ path }) => path)).toEqual([`/api/ai/enhance/${id}/events`]);
    expect(states.map((state) => state.job.status)).toContain('processing');
    expect(states.at(-1)).toMatchObject({ job: { status: 'completed', progress: 1 } });
  });

  it('uses long polling where there is no stream', async () => {
    const { fetch, requests } = recordingFetch(({ path }) =>
      path.endsWith('/events') ? notFound() : undefined,
    );
    const client = clientWith(fetch);
    const { id } = await client.jobs.create({ sourceUrl: busyUrl, ...BUSY_ORDER });
    expect(await client.jobs.wait(id)).toMatchObject({ status: 'completed' });
    const polls = requests.filter(({ path }) => path.endsWith(id));
    expect(polls).toHaveLength(1);
    expect(polls[0]!.headers.get('prefer')).toBe('wait=25');
  });

  it('polls with growing pauses where long polling is not supported', async () => {
    const { fetch, requests } = recordingFetch(({ path }, init) => {
      if (path.endsWith('/events'))
        return new Response('<html>', { headers: { 'content-type': 'text/html' } });
      delete (init.headers as Record<string, string>)['prefer'];
      return undefined;
    });
    const client = clientWith(fetch);
    const { id } = await client.jobs.create({ sourceUrl: busyUrl, ...BUSY_ORDER });
    expect(await client.jobs.wait(id)).toMatchObject({ status: 'completed' });
    const polls = requests.filter(({ path }) => path.endsWith(id));
    expect(polls.length).toBeGreaterThan(1);
    expect(polls.length).toBeLessThan(30);
  });

  it('continues when the service is killed and restarted', async () => {
    const { fetch, requests } = recordingFetch();
    const client = clientWith(fetch);
    const { id } = await client.jobs.create({ sourceUrl: busyUrl, ...BUSY_ORDER });
    let killed: Promise<unknown> | undefined;
    const waiting = client.jobs.wait(id, {
      onProgress: ({ job }) => {
        if (job.status === 'processing') killed ??= service.killRole('api');
      },
    });
    await eventually('the kill', async () => ({ found: await killed }));
    await sleep(500);
    await service.startRole('api');
    expect(await waiting).toMatchObject({ id, status: 'completed' });
    expect(requests.length).toBeGreaterThan(2);
    // One key means one job, charged once.
    const usage = await client.usage();
    const jobs = await client.jobs.list().all();
    expect(usage.enhancements.used).toBe(jobs.filter(({ status }) => status === 'completed').length);
  });

  it('survives a network that occasionally cuts every connection', async () => {
    const cuttable = await CuttableProxy.start(service.baseUrl);
    proxy = cuttable;
    let network = Promise.resolve();
    const cut = async () => {
      await sleep(5);
      await cuttable.cut();
      await sleep(100);
      await cuttable.mend();
    };
    // Only as many cuts as one call retries, so that even a call that meets all of them succeeds.
    const unlucky = new Set([2, 7, 12, 17]);
    const { fetch, requests } = recordingFetch(() => {
      if (unlucky.delete(requests.length)) network = network.then(cut);
      return undefined;
    });
    const client = clientWith(fetch, cuttable.urlOf(service.baseUrl));
    const direct = clientWith(globalThis.fetch);
    const before = (await direct.jobs.list().all()).length;
    const photo = await smallPhoto();
    const results = await Promise.all(Array.from({ length: 6 }, () => client.enhance(photo, ORDER)));
    await network;
    expect(new Set(results.map(({ job }) => job.id)).size).toBe(6);
    expect((await direct.jobs.list().all()).length).toBe(before + 6);
    expect(unlucky.size).toBe(0);
    expect(requests.some(({ status }) => status === undefined)).toBe(true);
  });

  it('survives repeated 429 responses', async () => {
    let count = 0;
    const { fetch, requests } = recordingFetch(() => {
      count += 1;
      if (count % 3 === 0) return undefined;
      const body = { status: 429, code: 'rate_limited', detail: 'too many', errors: [], requestId: 'req_1' };
      return Response.json(body, { status: 429, headers: { 'retry-after': '0' } });
    });
    const client = clientWith(fetch);
    const results = await Promise.all(Array.from({ length: 4 }, () => client.enhance(smallUrl, ORDER)));
    expect(results.every(({ job }) => job.status === 'completed')).toBe(true);
    expect(requests.filter(({ status }) => status === 429).length).toBeGreaterThan(8);
  });

  it('reads a result whose URL has expired', async () => {
    const { fetch, requests } = recordingFetch();
    const result = await clientWith(fetch).enhance(smallUrl, ORDER);
    await sleep(3_100);
    expect(await result.bytes()).toHaveLength(result.info.bytes);
    const after = requests.slice(-3).map(({ method, status }) => `${method} ${status}`);
    expect(after).toEqual([expect.stringMatching(/^GET 4\d\d$/), 'GET 200', 'GET 200']);
  });
});
