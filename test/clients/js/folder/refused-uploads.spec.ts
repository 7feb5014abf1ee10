import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns } from '../../../support/clients/folder-runs.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
} from '../../../support/clients/scripted-service.js';

const UPLOAD = 'POST /api/ai/upload';
const BATCH = 'GET /api/ai/batches/bat_1';
const CANCEL = 'POST /api/ai/batches/bat_1/cancel';
const FULL = problem(403, 'quota_exceeded');

/** An earlier run was killed while its batch was in progress. */
describe('a folder run whose uploads are refused', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    args = [runs.path('photos'), '--out', runs.path('done'), '--concurrency', '1'];
  });
  afterEach(() => runs.close());

  const begin = async () => {
    runs.script({ [BATCH]: [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
    expect(runs.created).toEqual([2]);
  };
  const saved = () => runs.results('done');
  const paid = ['a.auto_enhance.jpg', 'b.auto_enhance.jpg'];

  it.each<[string, ScriptedReply, string]>([
    ['a full storage', FULL, 'quota_exceeded'],
    ['a missing scope', problem(403, 'insufficient_scope'), 'insufficient_scope'],
    ['a broken connection', (request) => void request.socket.destroy(), 'connection_failed'],
  ])('saves the results that are paid for, after %s', async (_name, refusal, code) => {
    await begin();
    await runs.addPhotos('photos', 'c.jpg');
    runs.script({ [UPLOAD]: [refusal] });
    expect(await runs.run(args)).toMatchObject({ error: { code } });
    expect([runs.created, await saved()]).toEqual([[], paid]);
    runs.script({}, [1]);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, await saved()]).toEqual([[1], [...paid, 'c.auto_enhance.jpg']]);
  });

  it('enhances the images that were uploaded before the storage was full', async () => {
    await begin();
    await runs.addPhotos('photos', 'c.jpg', 'd.jpg');
    const url = `${runs.service.baseUrl}/files/src_c.jpg`;
    const creation = { 'POST /api/ai/batches': [runs.creation('bat_2')] };
    runs.script({ ...creation, [UPLOAD]: [json(201, { url }), FULL] }, [2, 1]);
    expect(await runs.run(args)).toMatchObject({ error: { code: 'quota_exceeded' } });
    expect([runs.created, await saved()]).toEqual([[1], [...paid, 'c.auto_enhance.jpg']]);
  });

  it('saves the results that are paid for, although the upload of a background is refused', async () => {
    await writeFile(runs.path('bg.png'), 'blue');
    args = [...args, '-p', 'bg_remove', '--background', runs.path('bg.png')];
    await begin();
    await runs.addPhotos('photos', 'c.jpg');
    await writeFile(runs.path('bg.png'), 'red!');
    const url = `${runs.service.baseUrl}/files/src_c.jpg`;
    runs.script({ [UPLOAD]: [json(201, { url }), FULL] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'quota_exceeded' } });
    expect([runs.created, await saved()]).toEqual([[], ['a.bg_remove.jpg', 'b.bg_remove.jpg']]);
  });

  it.each([UPLOAD, 'POST /api/ai/batches'])('ends %s after the given timeout', async (what) => {
    runs.script({ [what]: Array.from({ length: 9 }, (): ScriptedReply => () => undefined) });
    // An upload that fails is that of one image, and a batch that cannot be created ends the run.
    const { text, error } = await runs.run([...args, '--timeout', '1']);
    expect(`${text}${String(error)}`).toContain('did not answer within 1 s.');
  });

  it('waits for nothing after an interrupt of an upload', async () => {
    await begin();
    await runs.addPhotos('photos', 'c.jpg');
    const abort = new AbortController();
    runs.script({
      [UPLOAD]: [() => abort.abort(new Error('interrupted'))],
      [CANCEL]: [json(200, { id: 'bat_1', status: 'canceled' })],
    });
    expect(await runs.run(args, abort.signal)).toMatchObject({ error: { code: 'aborted' } });
    expect(runs.service.seen.map(({ what }) => what)).toEqual([UPLOAD, CANCEL]);
  });
});
