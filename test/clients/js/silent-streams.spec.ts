import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ImageEnhancement } from '../../../clients/js/src/node.js';
import { recordingFetch } from '../../support/clients/recording-fetch.js';

const STREAM = '/api/ai/enhance/job_1/events';
const JOB = '/api/ai/enhance/job_1';
const SILENCE_MS = 45_000;

/** Gateways and proxies that hold back event streams. Their silence takes no time here. */
describe('waiting for a job behind a proxy that does not pass event streams', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  const jobOf = (status: string) => ({ id: 'job_1', status, progress: 0, attempts: 1 });
  /** A stream that sends this text and then nothing more. */
  const streamOf = (text: string, signal: AbortSignal) =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          if (text !== '') controller.enqueue(new TextEncoder().encode(text));
          signal.addEventListener('abort', () => controller.error(signal.reason));
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  /** Waits for a job that is completed at the sixth poll. */
  const wait = async (streams: ((signal: AbortSignal) => Response)[]) => {
    let polls = 0;
    const { fetch, requests } = recordingFetch(({ path }, { signal }) => {
      if (path === STREAM) return streams.shift()!(signal!);
      polls += 1;
      return Response.json(jobOf(polls < 6 ? 'processing' : 'completed'), {
        headers: { 'preference-applied': 'wait=25' },
      });
    });
    const client = new ImageEnhancement({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ies_x', fetch });
    const [job] = await Promise.all([
      client.jobs.wait('job_1', { timeoutMs: 10 * SILENCE_MS }),
      vi.advanceTimersByTimeAsync(9 * SILENCE_MS),
    ]);
    expect(job.status).toBe('completed');
    return requests.map(({ path, headers }) => [path, headers.get('prefer')]);
  };
  const held = Array.from({ length: 6 }, () => [JOB, 'wait=25']);

  it('uses held responses after a stream that stays silent', async () => {
    expect(await wait([(signal) => streamOf('', signal)])).toEqual([[STREAM, null], ...held]);
  });

  it.each([500, 501, 502, 504])('uses held responses after a %i', async (status) => {
    const answer = () => new Response('<html></html>', { status });
    expect(await wait([answer])).toEqual([[STREAM, null], ...held]);
  });

  it('asks for the job, and reconnects, when a stream falls silent that was passed before', async () => {
    const event = `id: 1\nevent: job\ndata: ${JSON.stringify({ job: jobOf('processing'), queuePosition: null })}\n\n`;
    const streams = ['', ': keep-alive\n\n', event].map(
      (text) => (signal: AbortSignal) => streamOf(text, signal),
    );
    expect(await wait(streams.toReversed())).toEqual([
      [STREAM, null],
      [JOB, null],
      [STREAM, null],
      [JOB, null],
      [STREAM, null],
      ...held.slice(2),
    ]);
  });
});
