import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AbortedError, ImageEnhancement, TimeoutError } from '../../../../clients/js/src/node.js';
import { smallPhoto } from '../../../support/images/client-picture.js';
import { FlowService } from '../../../support/roles/flow-service.js';
import { SwallowingProxy } from '../../../support/network/swallowing-proxy.js';

const ORDER = { operation: 'upscale', level: 'low' } as const;
/** More requests than a call and its final cancellation send. */
const ALL = 100;

/** No worker runs, so a job stays queued unless it is canceled. */
describe('a job whose creation response was lost', () => {
  let service: FlowService;
  let proxy: SwallowingProxy;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['upscale'], roles: ['api'] });
    proxy = await SwallowingProxy.start(service.baseUrl);
  });
  afterEach(() => void proxy.swallow(0));
  afterAll(async () => {
    await proxy?.close();
    await service?.close();
  });

  /** One client whose responses may be swallowed, and one of the same account that sees the real state. */
  const newClients = async () => {
    const { key } = (await service.client()).account;
    const direct = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key });
    const { url } = await direct.upload(await smallPhoto());
    return { client: new ImageEnhancement({ baseUrl: proxy.url, apiKey: key }), direct, url };
  };
  const states = async (direct: ImageEnhancement) =>
    (await direct.jobs.list().all()).map(({ status, error }) => error?.code ?? status);
  const used = async (direct: ImageEnhancement) => (await direct.usage()).enhancements.used;

  it.each(['enhance', 'jobs.create'])('is canceled when %s is aborted, and costs nothing', async (name) => {
    const { client, direct, url } = await newClients();
    const abort = new AbortController();
    const reason = new Error('the person went away');
    const isSwallowed = proxy.swallow(1);
    const call =
      name === 'enhance'
        ? client.enhance(url, { ...ORDER, signal: abort.signal })
        : client.jobs.create({ sourceUrl: url, ...ORDER }, { signal: abort.signal });
    const failed = call.catch((thrown: unknown) => thrown);
    await isSwallowed;
    expect([await states(direct), await used(direct)]).toEqual([['queued'], 1]);
    abort.abort(reason);
    expect(await failed).toMatchObject({ name: 'AbortedError', cause: reason });
    expect([await states(direct), await used(direct)]).toEqual([['canceled'], 0]);
  });

  it('is canceled on timeout, and the error says so', async () => {
    const { client, direct, url } = await newClients();
    void proxy.swallow(1);
    const error = await client
      .enhance(url, { ...ORDER, timeoutMs: 1_500 })
      .catch((thrown: unknown) => thrown);
    const [job] = await direct.jobs.list().all();
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      code: 'timeout',
      jobId: null,
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      message: `The image was not enhanced after 1.5 s. The job ${job!.id} was canceled.`,
    });
    expect([await states(direct), await used(direct)]).toEqual([['canceled'], 0]);
  });

  it('continues under a key of the caller, who finds it by repeating the call', async () => {
    const { client, direct, url } = await newClients();
    void proxy.swallow(1);
    const order = { ...ORDER, idempotencyKey: 'mine' };
    const failed = client.enhance(url, { ...order, timeoutMs: 1_500 });
    await expect(failed).rejects.toMatchObject({
      idempotencyKey: 'mine',
      jobId: expect.stringMatching(/^job_/),
      message: expect.stringMatching(/goes on/),
    });
    expect(await states(direct)).toEqual(['queued']);
    const again = await client.jobs.create({ sourceUrl: url, ...ORDER }, { idempotencyKey: 'mine' });
    await expect(failed).rejects.toMatchObject({ jobId: again.id });
    expect([await states(direct), await used(direct)]).toEqual([['queued'], 1]);
  });

  it('is reported by its idempotency key when the service is unreachable', async () => {
    const { client, direct, url } = await newClients();
    const abort = new AbortController();
    const reason = new Error('the person went away');
    const isSwallowed = proxy.swallow(ALL);
    const aborted = client
      .enhance(url, { ...ORDER, signal: abort.signal })
      .catch((thrown: unknown) => thrown);
    await isSwallowed;
    abort.abort(reason);
    const error = (await aborted) as AbortedError;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ code: 'aborted', jobId: null, cause: reason });
    expect(await states(direct)).toEqual(['queued']);
    const options = { idempotencyKey: error.idempotencyKey! };
    const job = await direct.jobs.create({ sourceUrl: url, ...ORDER }, options);
    await direct.jobs.cancel(job.id);
    expect([await states(direct), await used(direct)]).toEqual([['canceled'], 0]);
  });

  it('is reported by its idempotency key when a single request times out', async () => {
    const { client, direct, url } = await newClients();
    void proxy.swallow(ALL);
    const once = { timeoutMs: 300, maxRetries: 1 };
    const failed = client.jobs.create({ sourceUrl: url, ...ORDER }, once);
    const error = (await failed.catch((thrown: unknown) => thrown)) as TimeoutError;
    expect(error).toBeInstanceOf(TimeoutError);
    const job = await direct.jobs.create(
      { sourceUrl: url, ...ORDER },
      { idempotencyKey: error.idempotencyKey! },
    );
    expect((await direct.jobs.list().all()).map(({ id }) => id)).toEqual([job.id]);
  });
});
