import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns, itemsOf } from '../../../support/clients/folder-runs.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
} from '../../../support/clients/scripted-service.js';

const CREATE = 'POST /api/ai/batches';
const UPLOAD = 'POST /api/ai/upload';

interface JournalLine {
  readonly backgroundStamp?: string;
  readonly set?: { readonly terms?: { readonly output?: unknown } };
}

/** As an earlier version wrote it, which recorded the background only once. */
const asBefore = (line: JournalLine): unknown => {
  const { set } = line;
  if (set?.terms === undefined) return { ...line, backgroundStamp: undefined };
  return { ...line, set: { ...set, terms: { ...set.terms, output: undefined } } };
};

describe('a folder run with a background picture', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    await writeFile(runs.path('bg.png'), 'blue');
    const background = ['--background', runs.path('bg.png')];
    args = [runs.path('photos'), '-p', 'bg_remove', ...background, '--out', runs.path('done')];
  });
  afterEach(() => runs.close());

  /** Each upload is named by its content. */
  const uploads: ScriptedReply = (request, response) => {
    const { body } = runs.service.seen.at(-1)!;
    const name = /blue|red|[a-z]\.jpg(?=")/.exec(body)![0];
    json(201, { url: `https://ies.test/${name}` })(request, response);
  };
  const script = (size: number, own: Readonly<Record<string, readonly ScriptedReply[]>> = {}) =>
    runs.script({ [UPLOAD]: [uploads], ...own }, [size]);
  /** The background and the number of images of each request that created a batch. */
  const sent = () => {
    const requests = runs.service.seen.filter(({ what }) => what === CREATE);
    return requests.map(({ body }) => {
      const { output, sourceUrls } = JSON.parse(body) as {
        output: { background: { sourceUrl: string } };
        sourceUrls: string[];
      };
      return [output.background.sourceUrl.split('/').at(-1), sourceUrls.length];
    });
  };
  const uploaded = () => runs.service.seen.filter(({ what }) => what === UPLOAD).length;

  const rewriteJournal = async (change: (line: JournalLine) => unknown) => {
    const name = (await readdir(runs.path('done'))).find((each) => each.endsWith('.jsonl'))!;
    const lines = (await readFile(runs.path('done', name), 'utf8')).trim().split('\n');
    const changed = lines.map((line) => JSON.stringify(change(JSON.parse(line) as JournalLine)));
    await writeFile(runs.path('done', name), `${changed.join('\n')}\n`);
  };

  it('uploads it once, and again when it has changed', async () => {
    script(2);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(sent()).toEqual([['blue', 2]]);
    await runs.addPhotos('photos', 'c.jpg');
    script(1);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([sent(), uploaded()]).toEqual([[['blue', 1]], 1]);
    await runs.addPhotos('photos', 'd.jpg');
    await writeFile(runs.path('bg.png'), 'red!');
    script(1);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([sent(), uploaded()]).toEqual([[['red', 1]], 2]);
  });

  it.each([
    ['was deleted', problem(410, 'gone')],
    [
      'is not accepted',
      json(400, {
        status: 400,
        code: 'invalid_request',
        errors: [{ field: 'output.background.sourceUrl', code: 'foreign', message: 'It is no upload.' }],
      }),
    ],
  ])('uploads only it again when its upload %s', async (_name, refusal) => {
    script(2, { [CREATE]: [refusal] });
    expect(await runs.run(args)).toMatchObject({ code: undefined });
    script(2);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([sent(), uploaded()]).toEqual([[['blue', 2]], 1]);
  });

  it.each(['this version', 'an earlier version'])('repeats a request of %s as it was', async (version) => {
    script(2, { [CREATE]: [problem(503, 'service_unavailable')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'service_unavailable' } });
    const first = runs.service.seen.at(-1);
    if (version === 'an earlier version') await rewriteJournal(asBefore);
    await writeFile(runs.path('bg.png'), 'red!');
    script(2, {
      [CREATE]: [runs.creation('bat_1'), runs.creation('bat_1')],
      'POST /api/ai/batches/bat_1/cancel': [json(200, { id: 'bat_1', status: 'canceled' })],
      [itemsOf('bat_1')]: [runs.items([], [0, 1]), runs.items([0, 1])],
    });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.service.seen[0]).toEqual(first);
    expect([sent(), uploaded()]).toEqual([
      [
        ['blue', 2],
        ['red', 2],
      ],
      1,
    ]);
  });

  it('uses a changed one for a canceled batch', async () => {
    const abort = new AbortController();
    const canceled = json(200, { id: 'bat_1', status: 'canceled' });
    const cancel = { 'POST /api/ai/batches/bat_1/cancel': [canceled] };
    script(2, {
      ...cancel,
      [CREATE]: [() => abort.abort(new Error('interrupted')), runs.creation('bat_1')],
    });
    expect(await runs.run(args, abort.signal)).toMatchObject({ error: { code: 'aborted' } });
    await writeFile(runs.path('bg.png'), 'red!');
    runs.script(
      {
        ...cancel,
        [UPLOAD]: [uploads],
        [itemsOf('bat_1')]: [runs.items([0], [1])],
        [CREATE]: [runs.creation('bat_2')],
      },
      [2, 1],
    );
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([sent(), uploaded()]).toEqual([[['red', 1]], 1]);
  });

  it('reports a missing one, and saves the results of earlier batches', async () => {
    script(2, { 'GET /api/ai/batches/bat_1': [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
    await runs.addPhotos('photos', 'c.jpg');
    await rm(runs.path('bg.png'));
    script(2);
    expect(await runs.run(args)).toMatchObject({
      error: { code: 'invalid_file', message: expect.stringMatching(/bg\.png cannot be read/) },
    });
    expect(await runs.results('done')).toHaveLength(2);
  });
});
