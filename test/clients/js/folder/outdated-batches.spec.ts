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
const CANCEL = 'POST /api/ai/batches/bat_1/cancel';
const RESULT = 'GET /files/job_1.jpg?exp=1&sig=2';

/** An image was removed or changed after an interrupt, or before its batch could be created. */
describe('a folder run with an outdated batch', () => {
  let runs: FolderRuns;
  let args: string[];
  let canceled: ScriptedReply;
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg', 'c.jpg');
    args = [runs.path('photos'), '--out', runs.path('done')];
    canceled = json(200, { id: 'bat_1', status: 'canceled' });
  });
  afterEach(() => runs.close());

  /** Ends a run after `a.jpg` was completed, before its result was saved. */
  const interrupt = async (own: Readonly<Record<string, readonly ScriptedReply[]>> = {}) => {
    const abort = new AbortController();
    runs.script({
      ...own,
      [CREATE]: [() => abort.abort(new Error('interrupted')), runs.creation('bat_1')],
      [CANCEL]: [canceled],
    });
    expect(await runs.run(args, abort.signal)).toMatchObject({ error: { code: 'aborted' } });
  };
  /** A service with `bat_1`, canceled, which creates `bat_2` with this many images. */
  const script = (size: number, own: Readonly<Record<string, readonly ScriptedReply[]>> = {}) =>
    runs.script(
      {
        [CANCEL]: [canceled],
        [itemsOf('bat_1')]: [runs.items([0], [1, 2])],
        [CREATE]: [runs.creation('bat_2')],
        ...own,
      },
      [3, size],
    );
  const seen = (what: string) => runs.service.seen.filter((request) => request.what === what);
  const remove = (name: string) => rm(runs.path('photos', name));

  it('enhances no removed image, saves completed ones, and uploads nothing again', async () => {
    await interrupt();
    await remove('b.jpg');
    script(1);
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(0);
    expect(runs.created).toEqual([1]);
    expect(seen(UPLOAD)).toEqual([]);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'c.auto_enhance.jpg']);
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0, text: '2 of 2 images were done before.\n' });
    expect(runs.service.seen).toEqual([]);
  });

  it('saves the completed result of a removed image', async () => {
    await interrupt();
    await remove('a.jpg');
    script(2);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
    expect(await runs.results('done')).toHaveLength(3);
  });

  describe('with --skip-existing', () => {
    /** Results of the other command line. */
    const addResults = async (...names: string[]) => {
      for (const name of names) await writeFile(runs.path('done', `${name}.auto_enhance.jpg`), 'another');
    };
    const skipping = async () => {
      const { code, text } = await runs.run([...args, '--skip-existing']);
      expect(code, text).toBe(0);
      return [...text.matchAll(/(\w)\.jpg: skipped, because /g)].map(([, name]) => name);
    };

    it('does not retry an image that has another result by now', async () => {
      await interrupt();
      await addResults('a', 'b');
      script(1);
      expect(await skipping()).toEqual(['a', 'b']);
      expect(runs.created).toEqual([1]);
      expect(await readFile(runs.path('done', 'a.auto_enhance.jpg'), 'utf8')).toBe('another');
      expect(await runs.results('done')).toHaveLength(3);
      runs.script();
      expect(await skipping()).toEqual(['a', 'b']);
      expect(runs.service.seen).toEqual([]);
    });

    it('saves the other results of a batch that goes on', async () => {
      runs.script({ 'GET /api/ai/batches/bat_1': [problem(401, 'unauthenticated')] });
      expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
      await addResults('a');
      runs.script({}, [3]);
      expect(await skipping()).toEqual(['a']);
      expect(runs.created).toEqual([]);
      expect(await readFile(runs.path('done', 'a.auto_enhance.jpg'), 'utf8')).toBe('another');
      expect(await runs.results('done')).toHaveLength(3);
    });
  });

  it.each(['a.jpg', 'b.jpg'])('enhances only the new version of %s', async (name) => {
    await interrupt();
    await writeFile(runs.path('photos', name), 'another picture');
    const isCompleted = name === 'a.jpg';
    script(isCompleted ? 3 : 2);
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(0);
    expect(runs.created).toEqual([isCompleted ? 3 : 2]);
    expect(seen(UPLOAD)).toHaveLength(1);
    expect(seen(RESULT)).toHaveLength(3);
    expect(await runs.results('done')).toHaveLength(3);
  });

  it('cancels a batch that an earlier run may have created', async () => {
    runs.script({ [CREATE]: [problem(503, 'service_unavailable')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'service_unavailable' } });
    const [first] = seen(CREATE);
    await remove('b.jpg');
    script(1, { [CREATE]: [runs.creation('bat_1'), runs.creation('bat_2')] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([3, 1]);
    expect(seen(CREATE)[0]).toEqual(first);
    expect(seen(CANCEL)).toHaveLength(1);
  });

  it('forgets a batch that the service refuses to create, or no longer has', async () => {
    runs.script({ [CREATE]: [problem(503, 'service_unavailable')] });
    await runs.run(args);
    await remove('b.jpg');
    script(2, { [CREATE]: [problem(403, 'quota_exceeded'), runs.creation('bat_2')] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([3, 2]);
    expect(seen(CANCEL)).toEqual([]);
    await runs.addPhotos('photos', 'd.jpg', 'e.jpg');
    await interrupt();
    await remove('d.jpg');
    script(1, { [CANCEL]: [problem(404, 'not_found')] });
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([1]);
  });

  it.each([
    ['the batch cannot be canceled', CANCEL, { error: { code: 'service_unavailable' } }],
    ['a completed result cannot be saved', RESULT, { code: 1, error: undefined }],
  ])('sends nothing when %s, and the next run continues', async (_name, what, end) => {
    await interrupt();
    await remove('b.jpg');
    script(1, { [what]: [problem(503, 'service_unavailable')] });
    expect(await runs.run(args)).toMatchObject(end);
    expect(runs.created).toEqual([]);
    script(1);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([1]);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'c.auto_enhance.jpg']);
  });

  describe('of a version that lost the output of the preset', () => {
    const preset = {
      'GET /api/ai/presets/mine': [
        json(200, { name: 'mine', output: { background: '#ffffff', quality: 92 } }),
      ],
    };
    const lost = { format: 'webp' };
    const merged = { background: '#ffffff', quality: 92, format: 'webp' };
    beforeEach(() => {
      args = [...args, '--preset', 'mine', '--format', 'webp'];
    });

    const outputs = () =>
      seen(CREATE).map(({ body }) => (JSON.parse(body) as { readonly output: object }).output);
    /** Makes the journal one of that version. */
    const age = async () => {
      const name = (await readdir(runs.path('done'))).find((each) => each.endsWith('.jsonl'))!;
      const path = runs.path('done', name);
      const text = await readFile(path, 'utf8');
      const old = text
        .replace(`"output":${JSON.stringify(merged)}`, `"output":${JSON.stringify(lost)}`)
        .replace('"isMerged":true,', '');
      expect(old).toHaveLength(text.length - '"background":"#ffffff","quality":92,"isMerged":true,'.length);
      await writeFile(path, old);
    };

    it('retries none of its images without that output', async () => {
      await interrupt(preset);
      await age();
      script(2, preset);
      expect(await runs.run(args)).toMatchObject({ code: 0 });
      expect([runs.created, outputs()]).toEqual([[2], [merged]]);
      expect(seen('POST /api/ai/batches/bat_1/retry')).toEqual([]);
      expect(await runs.results('done')).toHaveLength(3);
    });

    it('cancels it when it may have been created, and creates another', async () => {
      runs.script({ ...preset, [CREATE]: [problem(503, 'service_unavailable')] });
      expect(await runs.run(args)).toMatchObject({ error: { code: 'service_unavailable' } });
      await age();
      script(2, { ...preset, [CREATE]: [runs.creation('bat_1'), runs.creation('bat_2')] });
      expect(await runs.run(args)).toMatchObject({ code: 0 });
      expect([runs.created, outputs(), seen(CANCEL).length]).toEqual([[3, 2], [lost, merged], 1]);
    });

    it('collects it when it was created', async () => {
      runs.script({ ...preset, 'GET /api/ai/batches/bat_1': [problem(401, 'unauthenticated')] });
      expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
      await age();
      runs.script(preset, [3]);
      expect(await runs.run(args)).toMatchObject({ code: 0 });
      expect(runs.created).toEqual([]);
      expect(await runs.results('done')).toHaveLength(3);
    });
  });

  it('retries a canceled batch that has the output of its preset', async () => {
    args = [...args, '--preset', 'mine', '--format', 'webp'];
    const retry = 'POST /api/ai/batches/bat_1/retry';
    await interrupt({ 'GET /api/ai/presets/mine': [json(200, { name: 'mine', output: { quality: 92 } })] });
    runs.script({ [retry]: [json(200, { id: 'bat_1' })] }, [3]);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect([runs.created, seen(retry).length]).toEqual([[], 1]);
  });
});
