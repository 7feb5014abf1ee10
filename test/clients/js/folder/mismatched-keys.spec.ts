import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns, itemsOf } from '../../../support/clients/folder-runs.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
} from '../../../support/clients/scripted-service.js';

const CREATE = 'POST /api/ai/batches';
const CANCEL = 'POST /api/ai/batches/bat_1/cancel';
const LIST = 'GET /api/ai/batches?limit=100';
const MISMATCH = problem(422, 'idempotency_mismatch');
const firstJobOf = (id: string) => `GET /api/ai/batches/${id}/jobs?limit=1`;
const page = (data: readonly object[]) => json(200, { data, hasMore: false, nextCursor: null });

/** An earlier version sent the batch with other fields, and was killed before it had the response. */
describe('a folder run whose idempotency key belongs to another request', () => {
  let runs: FolderRuns;
  let args: string[];
  let aborting: AbortController;
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    // One upload at a time, so that `src_0` is always `a.jpg`.
    args = [runs.path('photos'), '--out', runs.path('done'), '--concurrency', '1'];
    aborting = new AbortController();
    runs.script({ [CREATE]: [problem(503, 'service_unavailable')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'service_unavailable' } });
  });
  afterEach(() => runs.close());

  /** The batches of the account, newest first, as the list has them. */
  const list = (...ids: readonly string[]) => {
    const createdAt = new Date().toISOString();
    return page(ids.map((id) => ({ id, createdAt, counts: { total: id === 'bat_small' ? 1 : 2 } })));
  };
  /** A job of a batch with its image, whose URL has another signature now. */
  const jobOf = (source: string, batchIndex: number) =>
    page([{ batchIndex, sourceUrl: `${runs.service.baseUrl}/files/${source}.jpg?exp=3&sig=4` }]);
  /** The service has created `bat_1`, whose first job was deleted, and gives out `bat_2`. */
  const script = (own: Readonly<Record<string, readonly ScriptedReply[]>> = {}, size = 2) =>
    runs.script(
      {
        [CREATE]: [MISMATCH, runs.creation('bat_2')],
        [LIST]: [list('bat_small', 'bat_other', 'bat_1')],
        [firstJobOf('bat_other')]: [jobOf('src_8', 0)],
        [firstJobOf('bat_1')]: [jobOf('src_1', 1)],
        [CANCEL]: [json(200, { id: 'bat_1', status: 'canceled' })],
        ...own,
      },
      [2, size],
    );
  const canceled = () => runs.service.seen.filter(({ what }) => what === CANCEL);

  it('collects the batch of that request', async () => {
    script();
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(0);
    expect(runs.created).toEqual([2]);
    expect(await runs.results('done')).toHaveLength(2);
    script();
    expect(await runs.run(args)).toMatchObject({ code: 0, text: '2 of 2 images were done before.\n' });
    expect(runs.service.seen).toEqual([]);
  });

  it('says that there is none, and the next run creates one', async () => {
    script({ [firstJobOf('bat_1')]: [page([])] });
    expect(await runs.run(args)).toMatchObject({
      error: { code: 'gone', message: expect.stringMatching(/another request .* a new one\.$/) },
    });
    const { idempotencyKey } = runs.service.seen[0]!;
    script({ [CREATE]: [runs.creation('bat_1')] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
    expect(runs.service.seen[0]!.idempotencyKey).not.toBe(idempotencyKey);
    expect(await runs.results('done')).toHaveLength(2);
  });

  it('looks again when the list could not be read', async () => {
    script({ [LIST]: [problem(503, 'service_unavailable')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'service_unavailable' } });
    script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
  });

  it('cancels its batch when an image was removed since', async () => {
    await rm(runs.path('photos/b.jpg'));
    script({ [itemsOf('bat_1')]: [runs.items([], [0, 1])] }, 1);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2, 1]);
    expect(canceled()).toHaveLength(1);
  });

  it('creates another batch at once when an image was removed and there is none', async () => {
    await rm(runs.path('photos/b.jpg'));
    script({ [LIST]: [list()] }, 1);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2, 1]);
    expect(canceled()).toEqual([]);
  });

  it('cancels its batch when interrupted, even while it looks for it', async () => {
    script({ [LIST]: [() => aborting.abort(new Error('interrupted')), list('bat_1')], [CREATE]: [MISMATCH] });
    expect(await runs.run(args, aborting.signal)).toMatchObject({
      error: { code: 'aborted' },
      text: 'The same command goes on from here.\n',
    });
    expect(canceled()).toHaveLength(1);
  });

  it('does not take a batch for it that this folder had before', async () => {
    script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    // Both images are enhanced again, from the same uploads as far as the list tells.
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    runs.script({
      [CREATE]: [MISMATCH],
      [LIST]: [list('bat_1')],
      [firstJobOf('bat_1')]: [jobOf('src_1', 1)],
    });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'gone' } });
  });
});
