import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../clients/js/src/node.js';
import { scriptedJson, type ScriptedReply, ScriptedService } from '../../support/clients/scripted-service.js';

const STREAM = 'GET /api/ai/enhance/job_1/events';
const JOB = 'GET /api/ai/enhance/job_1';
const jobOf = (status: string) => ({ id: 'job_1', status, progress: 0, attempts: 1 });
const eventOf = (data: unknown) => `id: 1\nevent: job\ndata: ${JSON.stringify(data)}\n\n`;
const EVENT = eventOf({ job: jobOf('processing'), queuePosition: null });

/** An event stream of which only this text arrives. */
const streamOf =
  (text: string, end: 'complete' | 'broken'): ScriptedReply =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => void (end === 'complete' ? response.end() : response.destroy()));
  };

/** Proxies that pass event streams, but break them or change what is in them, every time. */
describe('waiting for a job whose event streams are always broken', () => {
  let service: ScriptedService;
  beforeEach(async () => {
    service = await ScriptedService.start();
  });
  afterEach(() => service.close());

  const wait = async (stream: ScriptedReply, timeoutMs?: number) => {
    service.script({
      [STREAM]: [stream],
      [JOB]: [scriptedJson(200, jobOf('processing')), scriptedJson(200, jobOf('completed'))],
    });
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x', timeoutMs });
    const job = await client.jobs.wait('job_1', { timeoutMs: 60_000 });
    expect(job.status).toBe('completed');
    return service.seen.map(({ what }) => what);
  };

  it.each<[string, ScriptedReply]>([
    ['before their answer', (request) => request.socket.resetAndDestroy()],
    ['in the middle of the first event', streamOf(EVENT.slice(0, 40), 'broken')],
    ['after an event', streamOf(`${EVENT}${EVENT.slice(0, 40)}`, 'broken')],
    ['at the end of a part of an event', streamOf(EVENT.slice(0, 40), 'complete')],
    ['by an event that is no JSON', streamOf('id: 1\nevent: job\ndata: {"job": {"id\n\n', 'complete')],
    ['by an event without a job', streamOf(eventOf(null), 'complete')],
    ['by an event with something else', streamOf(eventOf({ job: {} }), 'complete')],
  ])('ends with the job when they break %s', async (_where, stream) => {
    expect(await wait(stream)).toEqual([STREAM, JOB, STREAM, JOB]);
  });

  it('waits for the beginning of a stream no longer than the timeout of the client', async () => {
    expect(await wait(() => undefined, 500)).toEqual([STREAM, JOB, JOB]);
  });
});
