import { getEventListeners } from 'node:events';
import { ApiError, type Job } from 'image-enhancement-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followJob } from './follow-job.js';

const ID = 'job_01980000000070008000000000000000';

const answer = (status: string, more = {}) => Response.json({ id: ID, status, error: null, ...more });
const refusal = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ title: 'No', status, detail: 'No.', code: 'no' }, { status, headers });

describe('followJob', () => {
  /** Responses for the job itself; the service never has room for another stream. */
  const fetched = vi.fn<() => Promise<Response>>();
  const fetchStub = (url: string) => (url.endsWith('/events') ? Promise.resolve(refusal(503)) : fetched());

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('location', { origin: 'http://dashboard.test' });
    vi.stubGlobal('localStorage', { getItem: () => null });
    vi.stubGlobal('navigator', { languages: ['en'] });
    vi.stubGlobal('fetch', fetchStub);
  });
  afterEach(() => {
    fetched.mockReset();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it('polls again while the service is away or busy, until the job has ended', async () => {
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

  it('keeps polling however long the service is away', async () => {
    fetched.mockRejectedValue(new TypeError('fetch failed'));
    const ended = followJob(ID, () => undefined, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(600_000);
    const asked = fetched.mock.calls.length;
    expect(asked).toBeGreaterThan(100);
    expect(asked).toBeLessThan(600);
    fetched.mockReset().mockResolvedValue(answer('completed'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await ended).status).toBe('completed');
  });

  it('returns a failed job like any other that has ended', async () => {
    const error = { code: 'canceled', message: 'Canceled.', retryable: false };
    fetched.mockResolvedValueOnce(answer('failed', { error }));
    const ended = followJob(ID, () => undefined, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await ended).toMatchObject({ status: 'failed', error });
  });

  it('waits as long as the service asks', async () => {
    fetched.mockResolvedValueOnce(refusal(429, { 'retry-after': '20' })).mockResolvedValue(answer('failed'));
    const ended = followJob(ID, () => undefined, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await ended).status).toBe('failed');
  });

  it('gives up on a job that is gone', async () => {
    fetched.mockImplementation(() => Promise.resolve(refusal(404)));
    const ended = followJob(ID, () => undefined, new AbortController().signal);
    const fault = ended.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await fault).toBeInstanceOf(ApiError);
  });

  it('stops at once when it is aborted, even between two polls', async () => {
    fetched.mockImplementation(() => Promise.resolve(answer('queued')));
    const controller = new AbortController();
    const ended = followJob(ID, () => undefined, controller.signal);
    const fault = ended.catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    const asked = fetched.mock.calls.length;
    expect(asked).toBeGreaterThan(0);
    controller.abort();
    expect(await fault).toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched).toHaveBeenCalledTimes(asked);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });
});
