import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Enhancer } from '../../../src/inference/enhancer.js';
import { ServerUnavailable } from '../../../src/inference/engines/triton/server-errors.js';
import { NO_SERVER, type TritonOptions } from '../../../src/inference/engines/triton/triton-engine.js';
import { serveRepository } from '../../support/inference/onnx-server.js';
import type { ProtocolServer } from '../../support/inference/protocol-server.js';
import { RemoteModels, remotePicture, startEnhancer } from '../../support/inference/remote-models.js';

describe('an inference server that fails', () => {
  let models: RemoteModels;
  let server: ProtocolServer;
  let enhancer: Enhancer | undefined;

  beforeAll(async () => {
    models = await RemoteModels.create('upscale');
  });
  afterAll(() => models?.remove());
  beforeEach(async () => {
    server = await serveRepository(models.repository);
  });
  afterEach(async () => {
    await enhancer?.close();
    enhancer = undefined;
    await server.stop();
  });

  const upscale = () => models.remote.route('upscale', 'low')!;
  const connected = async (options: Partial<TritonOptions> = {}): Promise<Enhancer> => {
    enhancer = await startEnhancer(
      { routes: () => [upscale()] },
      { ...NO_SERVER, urls: [server.url], ...options },
    );
    return enhancer;
  };

  it.each([
    ['overload', { status: 503, error: 'Exceeds maximum queue size' }],
    ['rate limit', { status: 429, error: 'slow down', retryAfter: '0' }],
    ['failed gateway', { status: 502, error: '' }],
  ] as const)('%s: the run is retried until the server accepts it', async (_, fault) => {
    server.faults.push(fault, fault);
    const result = await (await connected()).render(upscale(), remotePicture(64, 64), null);
    expect(result.width).toBe(128);
    expect(server.inferences).toHaveLength(3);
    expect(enhancer!.away.size).toBe(0);
  });

  it("a client error of the server fails the item with the server's message", async () => {
    const error = "unexpected shape for input 'image'";
    server.faults.push({ status: 400, error });
    const ended = (await connected()).render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toMatchObject({
      code: 'processing_failed',
      message: expect.stringContaining(`${server.host} answers 400: ${error}`) as string,
    });
    expect(server.inferences).toHaveLength(1);
  });

  it('a server error is retried once', async () => {
    server.faults.push({ status: 500, error: 'a process of the model has died' });
    expect((await (await connected()).render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
    server.faults.push({ status: 500, error: 'again' }, { status: 500, error: 'and again' });
    const ended = enhancer!.render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toThrow(`${server.host} answers 500: and again`);
  });

  it('a rejected batch is retried item by item', async () => {
    server.faults.push({ status: 400, error: 'one of them', fromBatch: 2 });
    const result = await (
      await connected({ concurrency: 2 })
    ).render(upscale(), remotePicture(700, 200), null);
    expect([result.width, result.height]).toEqual([1400, 400]);
    expect(server.faults).toEqual([]);
  });

  it('another replica takes over for one that is down or fails', async () => {
    const other = await serveRepository(models.repository);
    try {
      await (
        await connected({ urls: [server.url, other.url] })
      ).render(upscale(), remotePicture(64, 64), null);
      server.faults.push({ status: 500, error: 'out of order' });
      other.faults.push({ status: 500, error: 'out of order' });
      const failed = enhancer!.render(upscale(), remotePicture(64, 64), null);
      await expect(failed).rejects.toMatchObject({ code: 'processing_failed' });
      await server.stop();
      const before = other.inferences.length;
      for (let count = 0; count < 3; count++) await enhancer!.render(upscale(), remotePicture(64, 64), null);
      expect(other.inferences).toHaveLength(before + 3);
      expect(enhancer!.away.size).toBe(0);
      await server.listen();
    } finally {
      await other.stop();
    }
  });

  it('a second timeout ends the run and is reported', async () => {
    server.faults.push('silence', 'silence');
    const ended = (await connected({ timeoutMs: 300 })).render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toMatchObject({ name: 'ServerUnavailable', how: { isUnanswered: true } });
    await expect(ended).rejects.toThrow(`${server.host} did not answer within 300 ms`);
    expect(server.inferences).toHaveLength(2);
  });

  it('a second cut connection ends the run and is reported', async () => {
    server.faults.push('cut');
    expect((await (await connected()).render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
    server.faults.push('cut', 'cut');
    const ended = enhancer!.render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toMatchObject({ name: 'ServerUnavailable', how: { isUnanswered: true } });
    await expect(ended).rejects.toThrow(`${server.host} gave no complete response`);
    expect(server.inferences).toHaveLength(4);
  });

  it('a server that stops at a request and is not back in time is reported like a cut connection', async () => {
    server.faults.push('silence');
    const running = (await connected({ patienceMs: 300 })).render(upscale(), remotePicture(64, 64), null);
    const ended = running.catch((error: unknown) => error);
    await expect.poll(() => server.inferences.length).toBe(1);
    await server.stop();
    expect(await ended).toMatchObject({ name: 'ServerUnavailable', how: { isUnanswered: true } });
    await server.listen();
  });

  it('a server that does not even describe its model is awaited, which is no fault of the run', async () => {
    server.isHung = true;
    await connected({ timeoutMs: 1_000 });
    expect(enhancer!.away.get('upscale/1/x2-fast')).toContain('did not answer within 1000 ms');
    const ended = enhancer!.render(upscale(), remotePicture(64, 64), null).catch((error: unknown) => error);
    expect(await ended).toMatchObject({ name: 'ServerUnavailable', how: { isUnanswered: false } });
    expect(server.inferences).toEqual([]);
    server.isHung = false;
    await expect.poll(() => enhancer!.away.size).toBe(0);
    expect((await enhancer!.render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
  });

  it('a timeout that takes longer than a run keeps trying is retried once', async () => {
    server.faults.push('silence');
    const options = { timeoutMs: 1_000, patienceMs: 500 };
    const result = await (await connected(options)).render(upscale(), remotePicture(64, 64), null);
    expect(result.width).toBe(128);
    expect(server.inferences).toHaveLength(2);
  });

  it('a timeout after an overload is retried once, too', async () => {
    server.faults.push({ status: 503, error: 'overload' }, 'silence', 'silence');
    const options = { timeoutMs: 1_000, patienceMs: 500 };
    const ended = (await connected(options)).render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toMatchObject({ name: 'ServerUnavailable', how: { isUnanswered: true } });
    expect(server.inferences).toHaveLength(3);
  });

  it('a canceled job cancels its request at the server', async () => {
    server.faults.push('silence');
    const abort = new AbortController();
    const ended = (await connected()).render(upscale(), remotePicture(64, 64), null, {
      signal: abort.signal,
    });
    await expect.poll(() => server.inferences.length).toBe(1);
    abort.abort(new Error('canceled'));
    await expect(ended).rejects.toThrow('canceled');
    await server.inferences[0]!.canceled;
    // The next job is not affected.
    expect((await enhancer!.render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
  });

  it('a server that stays down disables its stages until it is back', async () => {
    await connected({ patienceMs: 300 });
    await server.stop();
    await expect(enhancer!.render(upscale(), remotePicture(64, 64), null)).rejects.toThrow(ServerUnavailable);
    expect([...enhancer!.away.keys()]).toEqual(['upscale/1/x2-fast']);
    await server.listen();
    await expect.poll(() => enhancer!.away.size).toBe(0);
    expect((await enhancer!.render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
  });

  it.each([
    ['that was down at the start', false],
    ['that has run the right one', true],
  ])('a server %s and comes back with another model is awaited until the model fits', async (_, hasRun) => {
    if (hasRun) {
      await connected();
      await enhancer!.render(upscale(), remotePicture(64, 64), null);
      await server.stop();
      await expect(enhancer!.render(upscale(), remotePicture(64, 64), null)).rejects.toThrow(
        ServerUnavailable,
      );
    } else {
      await server.stop();
      await connected();
    }
    server.maxBatchSize = 1;
    await server.listen();
    const reason = 'raise max_batch_size or lower maxBatch';
    await expect.poll(() => enhancer!.away.get('upscale/1/x2-fast')).toContain(reason);
    const ended = enhancer!.render(upscale(), remotePicture(64, 64), null);
    await expect(ended).rejects.toThrow(ServerUnavailable);
    await expect(ended).rejects.toThrow(reason);
    server.maxBatchSize = undefined;
    await expect.poll(() => enhancer!.away.size).toBe(0);
    expect((await enhancer!.render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
  });

  it('a server that is down at the start is awaited', async () => {
    await server.stop();
    await connected();
    expect([...enhancer!.away.keys()]).toEqual(['upscale/1/x2-fast']);
    await server.listen();
    await expect.poll(() => enhancer!.away.size).toBe(0);
    expect((await enhancer!.render(upscale(), remotePicture(64, 64), null)).width).toBe(128);
  });
});
