import { inspect } from 'node:util';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  AbortedError,
  ImageEnhancement,
  type ImageEnhancementError,
  RateLimitError,
  TimeoutError,
} from '../../../clients/js/src/node.js';
import { UnacknowledgedAttempts } from '../../../clients/js/src/http/unacknowledged-attempts.js';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
  ScriptedService,
} from '../../support/clients/scripted-service.js';

const ORDER = { operation: 'upscale' } as const;
const CREATE = 'POST /api/ai/enhance';
const UPLOAD = 'POST /api/ai/upload';
const GET = 'GET /api/ai/enhance/job_1';
const CANCEL = `POST /api/ai/enhance/job_1/cancel`;
const EVENTS = `${GET}/events`;
const SOURCE = 'https://service/files/src_1.png';
const JOB = { id: 'job_1', status: 'queued', progress: 0, attempts: 0, error: null };
const silence: ScriptedReply = () => undefined;
const limited = problem(429, 'rate_limited', { 'retry-after': '30' });
const caught = (call: Promise<unknown>) => call.catch((thrown: unknown) => thrown);

/** What a call knows, reports and leaves behind when it fails. */
describe('a call that fails', () => {
  let service: ScriptedService;
  let client: ImageEnhancement;
  beforeAll(async () => {
    service = await ScriptedService.start();
    client = new ImageEnhancement({
      baseUrl: service.baseUrl,
      apiKey: 'ies_secret',
      maxRateLimitWaitMs: 1_000,
    });
  });
  afterAll(() => service.close());

  describe('after an unanswered creation', () => {
    it.each([
      ['429', limited],
      ['401', problem(401, 'unauthenticated')],
      ['403', problem(403, 'insufficient_scope')],
      ['422', problem(422, 'idempotency_mismatch')],
    ])(
      'reports its idempotency key when the retry is refused with %s, which proves nothing',
      async (_, refusal) => {
        service.script({ [CREATE]: [silence, refusal] });
        const abort = new AbortController();
        const failed = caught(client.enhance(SOURCE, { ...ORDER, signal: abort.signal }));
        await service.saw(1);
        abort.abort(new Error('the person went away'));
        const error = (await failed) as AbortedError;
        expect(error).toBeInstanceOf(AbortedError);
        expect(error).toMatchObject({ jobId: null, idempotencyKey: service.seen[0]!.idempotencyKey });
        expect(new Set(service.seen.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      },
    );

    const canceled = { [CANCEL]: [json(200, JOB)] };
    const completed = {
      [CANCEL]: [problem(409, 'job_already_finished')],
      [GET]: [json(200, { ...JOB, status: 'completed' })],
    };
    it.each([
      ['canceled', canceled, null],
      ['completed, and so was paid for', completed, 'job_1'],
    ])('reports whether a job is left that was %s', async (_, replies, jobId) => {
      const creation = { [CREATE]: [silence, json(201, JOB)] };
      service.script({ ...creation, ...replies });
      const late = await caught(client.enhance(SOURCE, { ...ORDER, timeoutMs: 1_500 }));
      expect(late).toBeInstanceOf(TimeoutError);
      expect(late).toMatchObject({ jobId, message: expect.stringContaining('The job job_1 ') });
      service.script({ ...creation, ...replies });
      const abort = new AbortController();
      const aborted = caught(client.enhance(SOURCE, { ...ORDER, signal: abort.signal }));
      await service.saw(1);
      abort.abort(new Error('the person went away'));
      expect(await aborted).toMatchObject({ code: 'aborted', jobId });
    });

    it.each([
      ['429', limited, /is not known/],
      ['404', problem(404, 'source_not_found'), /^The image was not enhanced after 0\.3 s\.$/],
      ['a quota', problem(403, 'quota_exceeded'), /^The image was not enhanced after 0\.3 s\.$/],
    ])('reports after %s whether a job may exist', async (_, refusal, message) => {
      service.script({ [CREATE]: [silence, refusal] });
      const error = await caught(client.enhance(SOURCE, { ...ORDER, timeoutMs: 300 }));
      expect(error).toBeInstanceOf(TimeoutError);
      expect((error as Error).message).toMatch(message);
      expect(service.seen).toHaveLength(2);
    });
  });

  it('reports its idempotency key and its job when waiting fails', async () => {
    service.script({
      [CREATE]: [json(201, JOB)],
      [EVENTS]: [problem(404, 'not_found')],
      [GET]: [problem(401, 'unauthenticated')],
    });
    const own = await caught(client.enhance(SOURCE, { ...ORDER, idempotencyKey: 'mine' }));
    expect(own).toMatchObject({ code: 'unauthenticated', idempotencyKey: 'mine', jobId: 'job_1' });
    const error = (await caught(client.enhance(SOURCE, ORDER))) as ImageEnhancementError;
    const created = service.seen.filter(({ what }) => what === CREATE);
    expect(error).toMatchObject({ idempotencyKey: created[1]!.idempotencyKey, jobId: 'job_1' });
  });

  it('reports its idempotency key and its job when the job has failed', async () => {
    const failed = { ...JOB, status: 'failed', error: { code: 'worker_lost', retryable: true } };
    service.script({
      [CREATE]: [json(201, JOB)],
      [EVENTS]: [problem(404, 'not_found')],
      [GET]: [json(200, failed)],
    });
    expect(await caught(client.enhance(SOURCE, { ...ORDER, idempotencyKey: 'mine' }))).toMatchObject({
      code: 'worker_lost',
      retryable: true,
      idempotencyKey: 'mine',
      jobId: 'job_1',
    });
  });

  it('reports the key of the call, not of its upload, so that a repeated call finds the upload', async () => {
    service.script({ [UPLOAD]: [limited] });
    const image = new Uint8Array(9);
    const first = (await caught(client.enhance(image, ORDER))) as ImageEnhancementError;
    expect(first).toBeInstanceOf(RateLimitError);
    const { idempotencyKey } = first;
    expect(await caught(client.enhance(image, { ...ORDER, idempotencyKey: idempotencyKey! }))).toMatchObject({
      idempotencyKey,
    });
    expect(service.seen.map((each) => each.idempotencyKey)).toEqual(
      Array(2).fill(`${idempotencyKey}-upload`),
    );
  });

  it('sends nothing when its signal is already aborted or its timeout is 0', async () => {
    service.script({ [CREATE]: [json(201, JOB)] });
    const signal = AbortSignal.abort(new Error('never mind'));
    const order = { ...ORDER, sourceUrl: SOURCE };
    for (const call of [
      client.jobs.create(order, { signal }),
      client.enhance(SOURCE, { ...ORDER, signal }),
      client.upload(new Uint8Array(9), { signal }),
    ]) {
      const error = await caught(call);
      expect(error).toBeInstanceOf(AbortedError);
      expect(error).toMatchObject({ cause: signal.reason, jobId: null, idempotencyKey: null });
    }
    expect(await caught(client.enhance(SOURCE, { ...ORDER, timeoutMs: 0 }))).toMatchObject({
      code: 'timeout',
      message: 'The image was not enhanced after 0 s.',
    });
    expect(service.seen).toEqual([]);
  });

  it('counts no attempt that was never sent', async () => {
    const unheard = new UnacknowledgedAttempts();
    unheard.watch.onAttempt();
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const away = new ImageEnhancement({ baseUrl, apiKey: 'ies_x', maxRetries: 0 });
    unheard.watch.onFailure(await caught(away.usage()));
    expect(unheard.hasAny).toBe(false);
    const broken: ScriptedReply = (request) => request.socket.destroy();
    service.script({ 'GET /api/usage': [broken] });
    unheard.watch.onAttempt();
    unheard.watch.onFailure(await caught(client.usage({ maxRetries: 0 })));
    expect(unheard.hasAny).toBe(true);
  });

  it('applies maxRetries to each request of enhance, and does not send it to the service', async () => {
    service.script({ [CREATE]: [problem(503, 'service_unavailable', { 'retry-after': '0' })] });
    await expect(client.enhance(SOURCE, { ...ORDER, maxRetries: 1 })).rejects.toMatchObject({ status: 503 });
    expect(service.seen).toHaveLength(2);
    expect(JSON.parse(service.seen[0]!.body)).toEqual({ ...ORDER, sourceUrl: SOURCE });
  });

  it('rejects its promise for a bad key instead of throwing', async () => {
    service.script({});
    const { endpoints } = client.webhooks;
    const bad = { idempotencyKey: 'a b' };
    for (const call of [
      () => endpoints.ping('we_1', bad),
      () => endpoints.rotateSecret('we_1', {}, bad),
      () => endpoints.create({ url: 'https://x', events: [] }, bad),
    ]) {
      expect(await caught(call())).toMatchObject({ code: 'invalid_idempotency_key' });
    }
  });

  it('validates its key before the upload, and accepts keys up to the maximum length', async () => {
    service.script({ [UPLOAD]: [limited] });
    const image = new Uint8Array(9);
    const enhance = (idempotencyKey: string) => caught(client.enhance(image, { ...ORDER, idempotencyKey }));
    for (const bad of ['', 'x'.repeat(256)]) {
      expect(await enhance(bad)).toMatchObject({ code: 'invalid_idempotency_key' });
    }
    expect(service.seen).toEqual([]);
    await enhance('x'.repeat(248));
    await enhance('x'.repeat(249));
    const digest = createHash('sha256').update('x'.repeat(249)).digest('hex');
    expect(service.seen.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      `${'x'.repeat(248)}-upload`,
      `${digest}-upload`,
    ]);
    expect(await enhance('x'.repeat(255))).toMatchObject({ code: 'rate_limited' });
  });

  describe('on a silent stream', () => {
    const sources = {
      'of Node.js': () => {
        const stream = new Readable({ read: () => undefined });
        return { stream, isClosed: () => stream.destroyed };
      },
      'of the web': () => {
        const cancel = vi.fn<() => void>();
        return {
          stream: new ReadableStream<Uint8Array>({ cancel }),
          isClosed: () => cancel.mock.calls.length > 0,
        };
      },
    };

    it.each(Object.entries(sources))('%s stops on abort, and closes the stream', async (_, make) => {
      service.script({});
      const { stream, isClosed } = make();
      const abort = new AbortController();
      const failed = caught(client.enhance(stream, { ...ORDER, signal: abort.signal }));
      const reason = new Error('no longer wanted');
      setTimeout(() => abort.abort(reason), 20);
      expect(await failed).toMatchObject({ name: 'AbortedError', cause: reason });
      await expect.poll(() => isClosed()).toBe(true);
    });

    it.each(Object.entries(sources))('%s stops at its timeout', async (_, make) => {
      service.script({});
      expect(await caught(client.enhance(make().stream, { ...ORDER, timeoutMs: 50 }))).toMatchObject({
        code: 'timeout',
        message: 'The image was not enhanced after 0.05 s.',
      });
      const { stream, isClosed } = make();
      expect(await caught(client.upload(stream, { timeoutMs: 50 }))).toMatchObject({
        code: 'timeout',
        message: 'The image could not be read to its end within 0.05 s.',
      });
      await expect.poll(() => isClosed()).toBe(true);
      expect(service.seen).toEqual([]);
    });
  });

  it('never reveals the API key in a client, a result or an error', async () => {
    const completed = { ...JOB, status: 'completed', resultUrl: SOURCE, result: {} };
    service.script({ [EVENTS]: [problem(404, 'not_found')], [GET]: [json(200, completed)] });
    const result = await client.result('job_1');
    expect(JSON.parse(JSON.stringify(result))).toEqual(completed);
    const error = await caught(client.jobs.get('job_2'));
    for (const each of [result, client, client.jobs, client.webhooks, error, client.jobs.list()]) {
      expect(JSON.stringify(each) ?? '').not.toContain('ies_secret');
      expect(inspect(each, { depth: 9, showHidden: true })).not.toContain('ies_secret');
    }
  });

  it('validates base URLs even without URL.canParse', () => {
    const canParse = vi.spyOn(URL, 'canParse').mockImplementation(() => {
      throw new TypeError('URL.canParse is not a function');
    });
    try {
      expect(() => new ImageEnhancement({ baseUrl: 'http://x', apiKey: 'ies_x' })).not.toThrow();
      expect(() => new ImageEnhancement({ baseUrl: 'x', apiKey: 'ies_x' })).toThrow(/begins with http/);
    } finally {
      canParse.mockRestore();
    }
  });
});
