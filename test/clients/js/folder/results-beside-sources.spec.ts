import { appendFile, rm, symlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns } from '../../../support/clients/folder-runs.js';
import { scriptedProblem as problem } from '../../../support/clients/scripted-service.js';

describe('a folder run whose results are beside their sources', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    args = [runs.path('photos'), '--out', runs.path('photos')];
  });
  afterEach(() => runs.close());

  const note =
    '2 of 4 images are left out: results of earlier runs. To enhance them, choose another --out.\n';
  const first = async () => {
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
  };
  const all = ['a.auto_enhance.jpg', 'a.jpg', 'b.auto_enhance.jpg', 'b.jpg'];

  it('does not enhance the results of the run before', async () => {
    await first();
    runs.script();
    expect(await runs.run(args)).toMatchObject({
      code: 0,
      text: `${note}2 of 2 images were done before.\n`,
    });
    expect(runs.service.seen).toEqual([]);
    expect(await runs.results('photos')).toEqual(all);
  });

  it('says on standard error that it leaves out results, and how to enhance them, unless it is quiet', async () => {
    await first();
    await runs.addPhotos('photos', 'new.jpg');
    const upscale = [...args, '-p', 'upscale', '--json'];
    const script = () => runs.script({ 'POST /api/ai/batches': [runs.creation('bat_2')] }, [2, 3]);
    script();
    const { text, stderr, code } = await runs.run(upscale);
    expect([code, stderr]).toEqual([0, note.replace('4', '5')]);
    const lines = text.replace(stderr, '').trim().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual(
      Array.from({ length: 3 }, () => ['file', 'output', 'job']),
    );
    script();
    expect(await runs.run([...args, '-p', 'smooth_skin', '-q'])).toMatchObject({ code: 0, text: '' });
    expect(runs.created).toEqual([3]);
  });

  it('goes on after one result was saved, and enhances only a new image', async () => {
    runs.script({ 'GET /files/job_1.jpg?exp=1&sig=2': [problem(503, 'service_unavailable')] });
    expect(await runs.run([...args, '--concurrency', '1'])).toMatchObject({ code: 1 });
    await writeFile(runs.path('photos/a.auto_enhance.jpg'), 'as if the download had just ended');
    await runs.addPhotos('photos', 'c.jpg');
    runs.script({ 'POST /api/ai/batches': [runs.creation('bat_2')] }, [2, 1]);
    const { code, text } = await runs.run(args);
    expect(code, text).toBe(0);
    expect(runs.created).toEqual([1]);
    expect(await runs.results('photos')).toEqual([...all, 'c.auto_enhance.jpg', 'c.jpg'].toSorted());
  });

  it('does not enhance the results of another order, or of the Python command line', async () => {
    await first();
    await writeFile(runs.path('photos/a.upscale.jpg'), 'a result of Python');
    const line = `{"image": "${runs.path('photos/a.jpg')}", "set": {"output": "a.upscale.jpg"}}\n`;
    await writeFile(runs.path('photos/.image-enhancement-0123.jsonl'), line);
    runs.script();
    expect(await runs.run([...args, '-p', 'smooth_skin'])).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
    expect(await runs.results('photos')).toEqual(
      [...all, 'a.smooth_skin.jpg', 'a.upscale.jpg', 'b.smooth_skin.jpg'].toSorted(),
    );
  });

  it('recognizes them under another name of the folder', async () => {
    await first();
    await symlink(runs.path('photos'), runs.path('link'));
    runs.script();
    const other = [runs.path('link'), '--out', runs.path('photos'), '-p', 'smooth_skin'];
    expect(await runs.run(other)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([2]);
    runs.script();
    expect(await runs.run([runs.path('photos'), '--out', runs.path('link')])).toMatchObject({ code: 0 });
    expect(runs.service.seen).toEqual([]);
  });

  it('enhances files of the same name in other folders', async () => {
    await first();
    await runs.addPhotos('more', 'a.auto_enhance.jpg');
    runs.script({}, [1]);
    expect(await runs.run([runs.path('more'), '--out', runs.path('photos')])).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([1]);
  });

  it('says so when nothing but results is left, unless a batch is open', async () => {
    runs.script({ 'GET /api/ai/batches/bat_1': [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
    for (const name of ['a.jpg', 'b.jpg']) await rm(runs.path('photos', name));
    await writeFile(runs.path('photos/old.upscale.jpg'), 'a result');
    const line = '{"image":"/old.jpg","set":{"output":"old.upscale.jpg"}}\n{"image":"/x","set":{"outp';
    await appendFile(runs.path('photos/.enhance-0123.jsonl'), line);
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(await runs.results('photos')).toEqual([
      'a.auto_enhance.jpg',
      'b.auto_enhance.jpg',
      'old.upscale.jpg',
    ]);
    runs.script();
    expect(await runs.run(args)).toMatchObject({
      error: { name: 'UsageError', message: expect.stringMatching(/result.*choose another --out/) },
    });
    expect(runs.service.seen).toEqual([]);
  });
});
