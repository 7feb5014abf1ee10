import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.js';
import type { Job } from './job.js';
import { followJob } from './job-stream.js';

const ID = '01980000-0000-7000-8000-000000000000';

/** A stream the service has no room for. */
class RefusedStream extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = RefusedStream.CLOSED;

  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event('error')));
  }

  close(): void {
    // It never was open.
  }
}

const answer = (status: string) => Response.json({ id: ID, status });
const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ title: 'No', status, detail: 'No.', code: 'no' }, { status, headers });

describe('followJob', () => {
  const fetched = vi.fn<() => Promise<Response>>();

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('EventSource', RefusedStream);
    vi.stubGlobal('fetch', fetched);
  });
  afterEach(() => {
    fetched.mockReset();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('looks again while the service is away or has no time, until the job has ended', async () => {
    fetched
      .mockResolvedValueOnce(refusal(502))
      .mockRejectedValueOnce(new TypeError('fetch failed'))
      .mockResolvedValueOnce(refusal(429))
      .mockResolvedValueOnce(answer('processing'))
      .mockResolvedValueOnce(answer('completed'));
    const seen: Job[] = [];
    const { signal } = new AbortController();
    const ended = followJob(ID, (job) => seen.push(job), signal);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await ended).status).toBe('completed');
    expect(seen.map(({ status }) => status)).toEqual(['processing', 'completed']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('waits as long as the service asks it to', async () => {
    fetched.mockResolvedValueOnce(refusal(429, { 'retry-after': '20' })).mockResolvedValue(answer('failed'));
    const ended = followJob(ID, () => undefined, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await ended).status).toBe('failed');
  });

  it('gives up on a job that is gone', async () => {
    fetched.mockResolvedValueOnce(refusal(404));
    const ended = followJob(ID, () => undefined, new AbortController().signal);
    await expect(ended).rejects.toBeInstanceOf(ApiError);
  });

  it('ends at once when it is told to, also between two looks', async () => {
    fetched.mockResolvedValue(answer('queued'));
    const controller = new AbortController();
    const ended = followJob(ID, () => undefined, controller.signal);
    const fault = ended.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    controller.abort();
    expect(await fault).toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
