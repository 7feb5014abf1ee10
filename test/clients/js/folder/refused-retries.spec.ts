import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns, itemsOf } from '../../../support/clients/folder-runs.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
} from '../../../support/clients/scripted-service.js';

const CREATE = 'POST /api/ai/batches';
const UPLOAD = 'POST /api/ai/upload';
const CANCEL = 'POST /api/ai/batches/bat_1/cancel';
const RETRY = 'POST /api/ai/batches/bat_1/retry';
const BATCH = 'GET /api/ai/batches/bat_1';
const RESULT = 'GET /files/job_1.jpg?exp=1&sig=2';

/** `a.jpg` was completed before an interrupt canceled the others. */
describe('a folder run whose batch cannot be retried', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg', 'c.jpg');
    args = [runs.path('photos'), '--out', runs.path('done')];
  });
  afterEach(() => runs.close());

  const interrupt = async () => {
    const abort = new AbortController();
    runs.script({
      [CREATE]: [() => abort.abort(new Error('interrupted')), runs.creation('bat_1')],
      [CANCEL]: [json(200, { id: 'bat_1', status: 'canceled' })],
    });
    expect(await runs.run(args, abort.signal)).toMatchObject({ error: { code: 'aborted' } });
  };
  /** A service that refuses the retry, and creates `bat_2` with two images. */
  const script = (refusal: ScriptedReply, own: Readonly<Record<string, readonly ScriptedReply[]>> = {}) =>
    runs.script(
      {
        [RETRY]: [refusal],
        [itemsOf('bat_1')]: [runs.items([0], [1, 2])],
        [CREATE]: [runs.creation('bat_2')],
        ...own,
      },
      [3, 2],
    );
  const count = (what: string) => runs.service.seen.filter((request) => request.what === what).length;

  it.each([
    [404, 'not_found', 2],
    [409, 'conflict', 0],
    [410, 'gone', 2],
    [422, 'unprocessable', 0],
    [400, 'invalid_request', 2],
  ])('after %i %s, saves what was completed, and enhances only the others again', async (...refusal) => {
    await interrupt();
    const [status, code, uploads] = refusal;
    script(problem(status, code));
    const { code: exitCode, text } = await runs.run(args);
    expect(exitCode, text).toBe(0);
    expect(text).toContain(`A batch cannot be retried, so its images get another one: about ${code}`);
    expect([runs.created, count(UPLOAD), count(RESULT)]).toEqual([[2], uploads, 3]);
    expect(await runs.results('done')).toHaveLength(3);
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0, text: '3 of 3 images were done before.\n' });
    expect(runs.service.seen).toEqual([]);
  });

  it.each([
    [410, 'gone', 1],
    [409, 'conflict', 0],
  ])(
    'after %i %s, uploads a background that may be gone again, and no image',
    async (status, code, uploads) => {
      await writeFile(runs.path('bg.png'), 'blue');
      args = [...args, '-p', 'bg_remove', '--background', runs.path('bg.png')];
      await interrupt();
      script(problem(status, code));
      expect(await runs.run(args)).toMatchObject({ code: 0 });
      expect([runs.created, count(UPLOAD)]).toEqual([[2], uploads]);
      expect(await runs.results('done')).toHaveLength(3);
    },
  );

  it.each<[string, ScriptedReply, object]>([
    ['a used-up quota', problem(403, 'quota_exceeded'), { error: { code: 'quota_exceeded' } }],
    ['an overload', problem(503, 'service_unavailable'), { error: { code: 'service_unavailable' } }],
    [
      'a 410 of a proxy',
      (_, response) => void response.writeHead(410).end(),
      { error: { code: 'http_410' } },
    ],
  ])('after %s, saves what was completed, and retries it in the next run', async (_name, refusal, end) => {
    await interrupt();
    script(refusal);
    expect(await runs.run(args)).toMatchObject(end);
    expect(runs.created).toEqual([]);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg']);
    script(json(201, { id: 'bat_1', skipped: [] }), { [itemsOf('bat_1')]: [runs.items([0, 1, 2])] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(RESULT)]).toEqual([[], 2]);
    expect(await runs.results('done')).toHaveLength(3);
  });

  it('because another retry was accepted collects it', async () => {
    await interrupt();
    script(problem(422, 'idempotency_mismatch'), { [itemsOf('bat_1')]: [runs.items([0, 1, 2])] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(RESULT)]).toEqual([[], 3]);
  });

  it('and that is gone, enhances all images again', async () => {
    await interrupt();
    runs.script(
      {
        [RETRY]: [problem(410, 'gone')],
        [BATCH]: [problem(410, 'gone')],
        [CREATE]: [runs.creation('bat_2')],
      },
      [3, 3],
    );
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(UPLOAD)]).toEqual([[3], 3]);
  });

  it('tries again when a completed result cannot be saved', async () => {
    await interrupt();
    script(problem(409, 'conflict'), { [RESULT]: [problem(503, 'service_unavailable')] });
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(1);
    expect(text.match(/a\.jpg/g)).toHaveLength(1);
    expect(runs.created).toEqual([]);
    script(problem(409, 'conflict'));
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
    expect(await runs.results('done')).toHaveLength(3);
  });
});
