import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  GoneError,
  ImageEnhancement,
  ImageEnhancementError,
  InvalidImageError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
  TimeoutError,
} from '../../../../clients/js/src/node.js';
import { freePort } from '../../../../src/infra/database/embedded/free-port.js';
import { ERROR_CODES } from '../../../../src/kernel/errors/error-codes.js';

type Reply = (request: IncomingMessage, response: ServerResponse) => void;

/** The test's own server sends statuses and breaks connections on demand, which no healthy service does. */
describe('a request that fails', () => {
  let replies: Reply[];
  let seen: { method: string; url: string; key: string | undefined; at: number; body: string }[];
  let client: ImageEnhancement;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      const key = request.headers['idempotency-key'] as string | undefined;
      seen.push({ method: request.method!, url: request.url!, key, at: performance.now(), body });
      const reply = replies.length > 1 ? replies.shift()! : replies[0]!;
      reply(request, response);
    });
  });

  beforeEach(async () => {
    seen = [];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = new ImageEnhancement({ baseUrl, apiKey: 'ies_x' });
  });
  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
  const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
    json(
      status,
      { status, code, title: code, detail: `about ${code}`, requestId: 'req_1', errors: [] },
      headers,
    );
  const badGateway: Reply = (_request, response) => {
    response.writeHead(502).end('<h1>Bad Gateway</h1>');
  };
  const cut: Reply = (request) => request.socket.destroy();
  const cutInBody: Reply = (request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"id":');
    setTimeout(() => request.socket.destroy(), 20);
  };
  const good = json(200, { id: 'job_1', status: 'queued' });

  it.each([
    ['a 503', problem(503, 'service_unavailable', { 'retry-after': '0' })],
    ['a 500', problem(500, 'internal_error')],
    ['a 502 in HTML', badGateway],
    ['a broken connection', cut],
    ['an answer that breaks off', cutInBody],
    ['a 409 of a request still in hand', problem(409, 'idempotency_in_progress', { 'retry-after': '0' })],
    ['a 429', problem(429, 'rate_limited', { 'retry-after': '0' })],
  ])('is sent again after %s, with the same idempotency key', async (_name, failure) => {
    replies = [failure, failure, good];
    const job = await client.jobs.create({ sourceUrl: 'x', operation: 'upscale' });
    expect(job.id).toBe('job_1');
    expect(seen).toHaveLength(3);
    expect(seen[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
  });

  it('has a new key for each call, or the given one', async () => {
    replies = [good];
    await client.jobs.create({ sourceUrl: 'x', operation: 'upscale' });
    await client.jobs.create({ sourceUrl: 'x', operation: 'upscale' });
    await client.jobs.create({ sourceUrl: 'x', operation: 'upscale' }, { idempotencyKey: 'mine' });
    expect(new Set(seen.map(({ key }) => key)).size).toBe(3);
    expect(seen[2]!.key).toBe('mine');
  });

  it('is not retried if that could repeat its effect, unless it was rejected unprocessed', async () => {
    replies = [cut];
    await expect(client.webhooks.deliveries.redeliver('dlv_1')).rejects.toThrow(ConnectionError);
    expect(seen).toHaveLength(1);
    replies = [problem(500, 'internal_error')];
    await expect(client.webhooks.deliveries.redeliver('dlv_1')).rejects.toThrow(ServiceError);
    expect(seen).toHaveLength(2);
    replies = [problem(429, 'rate_limited', { 'retry-after': '0' }), json(200, {})];
    await client.webhooks.deliveries.redeliver('dlv_1');
    expect(seen).toHaveLength(4);
  });

  it('fails with the last error after the allowed retries', async () => {
    replies = [problem(503, 'service_unavailable', { 'retry-after': '0' })];
    const failed = client.jobs.get('job_1', { maxRetries: 2 });
    await expect(failed).rejects.toMatchObject({
      code: 'service_unavailable',
      status: 503,
      requestId: 'req_1',
    });
    expect(seen).toHaveLength(3);
  });

  it('waits as long as Retry-After says', async () => {
    replies = [problem(429, 'rate_limited', { 'retry-after': '1' }), good];
    await client.jobs.get('job_1');
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(995);
  });

  it('counts a Retry-After date from the Date of the response, whatever the local clock says', async () => {
    const headers = { date: 'Wed, 01 Jan 2020 00:00:00 GMT', 'retry-after': 'Wed, 01 Jan 2020 00:00:01 GMT' };
    replies = [problem(503, 'service_unavailable', headers), good];
    await client.jobs.get('job_1');
    expect(seen[1]!.at - seen[0]!.at).toBeGreaterThanOrEqual(995);
  });

  it('does not wait longer for a rate limit than allowed', async () => {
    replies = [problem(429, 'rate_limited', { 'retry-after': '30' })];
    const impatient = new ImageEnhancement({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: 'ies_x',
      maxRateLimitWaitMs: 10_000,
    });
    await expect(impatient.usage()).rejects.toMatchObject({
      name: 'RateLimitError',
      retryAfterSeconds: 30,
    });
    expect(seen).toHaveLength(1);
  });

  it('stops at once when aborted, even during a pause', async () => {
    replies = [problem(503, 'service_unavailable', { 'retry-after': '60' })];
    const reason = new Error('no longer wanted');
    const abort = new AbortController();
    const failed = client.usage({ signal: abort.signal });
    await Promise.all([
      expect(failed).rejects.toMatchObject({ name: 'AbortedError', cause: reason }),
      (async () => {
        while (seen.length === 0) await new Promise((done) => setTimeout(done, 5));
        abort.abort(reason);
      })(),
    ]);
    await expect(client.usage({ signal: abort.signal })).rejects.toMatchObject({
      name: 'AbortedError',
      cause: reason,
    });
    expect(seen).toHaveLength(1);
  });

  it('ends at its timeout', async () => {
    replies = [() => undefined];
    const failed = client.usage({ timeoutMs: 50, maxRetries: 1 });
    await expect(failed).rejects.toThrow(TimeoutError);
    expect(seen).toHaveLength(2);
  });

  it('does not send the key to a redirect target', async () => {
    replies = [
      (_request, response) => void response.writeHead(308, { location: 'http://127.0.0.1:1/' }).end(),
    ];
    await expect(client.usage()).rejects.toMatchObject({
      code: 'redirected',
      message: expect.stringMatching(
        /redirects to http:\/\/127\.0\.0\.1:1\/.*baseUrl \(--url on the command line\)/,
      ),
    });
    expect(seen).toHaveLength(1);
  });

  it('ends at the timeout of the whole call, however many requests that needs', async () => {
    replies = [() => undefined];
    const startedMs = performance.now();
    const failed = client.enhance(new Uint8Array(9), { operation: 'upscale', timeoutMs: 500 });
    await expect(failed).rejects.toThrow(TimeoutError);
    await expect(failed).rejects.toMatchObject({
      jobId: null,
      message: 'The image was not enhanced after 0.5 s.',
    });
    expect(seen).toHaveLength(1);
    expect(performance.now()).toBeGreaterThan(startedMs + 495);
  });

  it('counts as a successful deletion when the first response was lost and the retry gets 410 or 404', async () => {
    replies = [cut, problem(410, 'gone')];
    await expect(client.jobs.delete('job_1')).resolves.toBeUndefined();
    replies = [cutInBody, problem(404, 'not_found')];
    await expect(client.webhooks.endpoints.delete('we_1')).resolves.toBeUndefined();
  });

  it('is no successful deletion when nothing was there or earlier attempts were rejected', async () => {
    replies = [problem(410, 'gone')];
    await expect(client.jobs.delete('job_1')).rejects.toThrow(GoneError);
    replies = [problem(404, 'not_found')];
    await expect(client.sources.delete('src_1')).rejects.toThrow(NotFoundError);
    replies = [problem(429, 'rate_limited', { 'retry-after': '0' }), problem(404, 'not_found')];
    await expect(client.webhooks.endpoints.delete('we_1')).rejects.toThrow(NotFoundError);
  });

  it('is not repeated for a cancellation when every attempt was rejected', async () => {
    replies = [problem(429, 'rate_limited', { 'retry-after': '60' })];
    const reason = new Error('no longer wanted');
    const abort = new AbortController();
    const failed = client.jobs
      .create({ sourceUrl: 'x', operation: 'upscale' }, { signal: abort.signal })
      .catch((thrown: unknown) => thrown);
    while (seen.length === 0) await new Promise((done) => setTimeout(done, 5));
    await new Promise((done) => setTimeout(done, 50));
    abort.abort(reason);
    expect(await failed).toMatchObject({ name: 'AbortedError', cause: reason });
    expect(seen).toHaveLength(1);
  });

  it('counts as a successful cancellation when the response was lost and the job is canceled', async () => {
    const canceled = { id: 'job_1', status: 'failed', error: { code: 'canceled' } };
    replies = [cut, problem(409, 'job_already_finished'), json(200, canceled)];
    expect(await client.jobs.cancel('job_1')).toEqual(canceled);
    replies = [
      problem(409, 'job_already_finished'),
      json(200, { id: 'job_1', status: 'completed', error: null }),
    ];
    await expect(client.jobs.cancel('job_1')).rejects.toThrow(ConflictError);
  });

  describe('is a typed error', () => {
    const classes: Record<string, typeof ApiError> = {
      quota_exceeded: QuotaExceededError,
      payload_too_large: InvalidImageError,
      unsupported_media_type: InvalidImageError,
      hdr_image: InvalidImageError,
      undecodable_image: InvalidImageError,
      animated_image: InvalidImageError,
      too_many_pixels: InvalidImageError,
    };
    const byStatus: Record<number, typeof ApiError> = {
      400: InvalidRequestError,
      401: AuthenticationError,
      403: PermissionError,
      404: NotFoundError,
      405: ApiError,
      408: ApiError,
      409: ConflictError,
      410: GoneError,
      416: ApiError,
      422: InvalidRequestError,
      429: RateLimitError,
      500: ServiceError,
      503: ServiceError,
    };
    const codes = Object.entries(ERROR_CODES).map(([code, { status }]) => ({ code, status }));

    it.each(codes)('$code ($status)', async ({ code, status }) => {
      replies = [problem(status, code, { 'retry-after': '3600' })];
      const error = await client.jobs.get('job_1', { maxRetries: 0 }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(classes[code] ?? byStatus[status]);
      expect(error).toBeInstanceOf(ImageEnhancementError);
      expect(error).toMatchObject({ code, status, requestId: 'req_1' });
      expect((error as Error).message).toBe(`about ${code} (request req_1)`);
      expect((error as Error).name).toBe((classes[code] ?? byStatus[status])!.name);
    });

    it('names the address that cannot be reached', async () => {
      const baseUrl = `http://127.0.0.1:${await freePort()}`;
      const nowhere = new ImageEnhancement({ baseUrl, apiKey: 'ies_x', maxRetries: 0 });
      await expect(nowhere.usage()).rejects.toThrow(
        /^http:\/\/127\.0\.0\.1:\d+ cannot be reached, or the connection broke: connect ECONNREFUSED [\d.:]+$/,
      );
    });
  });
});
