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

/** The result of `a.jpg` was saved and that of `b.jpg` was not, so their batch is still open. Then `a.jpg` changes. */
describe('a folder run with an image that has changed since its result was saved', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    args = [runs.path('photos'), '--concurrency', '1', '--out', runs.path('done')];
    const unreadable = problem(503, 'service_unavailable');
    runs.script({ [RESULT]: [(_, response) => void response.end('a result'), unreadable] });
    expect(await runs.run(args)).toMatchObject({ code: 1, error: undefined });
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg']);
    await change('another picture');
  });
  afterEach(() => runs.close());

  const change = (content: string) => writeFile(runs.path('photos/a.jpg'), content);
  const count = (what: string) => runs.service.seen.filter((request) => request.what === what).length;
  /** A service with `bat_1`, which creates `bat_2`. */
  const script = (own: Readonly<Record<string, readonly ScriptedReply[]>> = {}, size = 1) =>
    runs.script(
      {
        [UPLOAD]: [json(201, { url: `${runs.service.baseUrl}/files/src_new.jpg?exp=1&sig=2` })],
        [CREATE]: [runs.creation('bat_2')],
        ...own,
      },
      [2, size],
    );
  const expectNothingLeft = async () => {
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'b.auto_enhance.jpg']);
    script();
    expect(await runs.run(args)).toMatchObject({ code: 0, text: '2 of 2 images were done before.\n' });
    expect(runs.service.seen).toEqual([]);
  };

  it('enhances the new version once, and collects the batch', async () => {
    script();
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(0);
    expect([runs.created, count(UPLOAD), count(RESULT)]).toEqual([[1], 1, 2]);
    await expectNothingLeft();
  });

  it.each([
    ['creation', CREATE, problem(503, 'service_unavailable'), [1]],
    ['end', 'GET /api/ai/batches/bat_2', problem(401, 'unauthenticated'), []],
  ])('continues after a run without the %s of the new batch', async (_name, what, reply, created) => {
    script({ [what]: [reply], [BATCH]: [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ code: undefined });
    expect([runs.created, count(UPLOAD)]).toEqual([[1], 1]);
    script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(UPLOAD), count(RESULT)]).toEqual([created, 0, 2]);
    await expectNothingLeft();
  });

  it('enhances the latest version when it changes once more', async () => {
    script({ [BATCH]: [problem(400, 'invalid_request')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'invalid_request' } });
    await change('a third picture');
    script({ [UPLOAD]: [json(201, { url: 'https://ies.test/src_third.jpg' })] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(UPLOAD), count(RESULT)]).toEqual([[1], 1, 2]);
    await expectNothingLeft();
  });

  it('retries the other image of a canceled batch', async () => {
    const abort = new AbortController();
    script({
      [BATCH]: [() => abort.abort(new Error('interrupted'))],
      [CANCEL]: [json(200, { id: 'bat_1', status: 'canceled' })],
      'POST /api/ai/batches/bat_2/cancel': [problem(409, 'conflict')],
    });
    expect(await runs.run(args, abort.signal)).toMatchObject({ error: { code: 'aborted' } });
    const retried = json(201, { id: 'bat_1', skipped: [] });
    script({ [RETRY]: [retried], 'POST /api/ai/batches/bat_2/retry': [retried] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(RETRY), count(RESULT)]).toEqual([[], 1, 2]);
    await expectNothingLeft();
  });

  it.each<[string, Readonly<Record<string, readonly ScriptedReply[]>>]>([
    ['the batch', { [BATCH]: [problem(410, 'gone')] }],
    ['every job of it', { [itemsOf('bat_1')]: [json(200, { data: [], hasMore: false, nextCursor: null })] }],
  ])('reports only the other image when %s is gone', async (_name, gone) => {
    script(gone);
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(1);
    expect(text).toMatch(/b\.jpg: /);
    expect(text).not.toMatch(/a\.jpg: /);
    expect([runs.created, count(RESULT)]).toEqual([[1], 1]);
    script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, count(RESULT)]).toEqual([[1], 1]);
    await expectNothingLeft();
  });
});
