import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns } from '../../../support/clients/folder-runs.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
} from '../../../support/clients/scripted-service.js';

const CREATE = 'POST /api/ai/batches';
const CANCEL = 'POST /api/ai/batches/bat_1/cancel';
const RETRY = 'POST /api/ai/batches/bat_1/retry';

describe('a folder run that is interrupted while it creates its batch', () => {
  let runs: FolderRuns;
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
  });
  afterEach(() => runs.close());

  it('cancels the batch, and continues it later', async () => {
    const args = [runs.path('photos'), '--out', runs.path('done')];
    const abort = new AbortController();
    const interrupt: ScriptedReply = () => abort.abort(new Error('interrupted'));
    runs.script({
      [CREATE]: [interrupt, runs.creation('bat_1')],
      [CANCEL]: [json(200, { id: 'bat_1', status: 'canceled' })],
    });
    expect(await runs.run(args, abort.signal)).toMatchObject({
      error: { code: 'aborted' },
      text: 'The same command goes on from here.\n',
    });
    const sent = runs.service.seen.filter(({ what }) => what === CREATE);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(runs.service.seen.at(-1)!.what).toBe(CANCEL);
    runs.script({ [RETRY]: [json(201, { id: 'bat_1', skipped: [] })] });
    const again = await runs.run(args);
    expect(again.code, again.text).toBe(0);
    expect(runs.service.seen[0]!.what).toBe(RETRY);
    expect(runs.created).toEqual([]);
    expect(await runs.results('done')).toHaveLength(2);
  });

  it('does not create a batch that an earlier run could not send', async () => {
    const args = [runs.path('photos'), '--out', runs.path('done')];
    runs.script({ [CREATE]: [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
    await runs.addPhotos('photos', 'c.jpg');
    const abort = new AbortController();
    runs.script({ 'POST /api/ai/upload': [() => abort.abort(new Error('interrupted'))] });
    expect(await runs.run(args, abort.signal)).toMatchObject({ error: { code: 'aborted' } });
    expect(runs.created).toEqual([]);
    runs.script({}, [2, 1]);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2, 1]);
  });

  it('says so when it cannot find out about the batch', async () => {
    const args = [runs.path('photos'), '--out', runs.path('done')];
    const abort = new AbortController();
    const interrupt: ScriptedReply = () => abort.abort(new Error('interrupted'));
    const broken: ScriptedReply = (request) => request.socket.destroy();
    runs.script({ [CREATE]: [interrupt, broken] });
    expect(await runs.run(args, abort.signal)).toMatchObject({
      error: { code: 'aborted' },
      text: expect.stringMatching(/^The batch with the idempotency key \S+ could not be canceled: /),
    });
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
  });
});
