import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns } from '../../../support/clients/folder-runs.js';
import { scriptedProblem as problem } from '../../../support/clients/scripted-service.js';

/** A run that ends after its batch was created, as by `kill -9`, and one that goes on. */
describe('a folder run that continues an earlier one', () => {
  let runs: FolderRuns;
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
  });
  afterEach(() => runs.close());

  const out = () => ['--out', runs.path('done')];
  /** Creates the batch `bat_1`, and gets no further. */
  const begin = async (...args: string[]) => {
    runs.script({ 'GET /api/ai/batches/bat_1': [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
    expect(runs.created).toEqual([2]);
    runs.script();
  };

  it('collects its batch, however the paths are typed', async () => {
    const typed = (name: string) => relative(process.cwd(), runs.path(name));
    await begin(typed('photos'), '--out', typed('done'));
    const { code, text } = await runs.run([runs.path('photos'), ...out()]);
    expect(code, text).toBe(0);
    expect(text).toContain(`${runs.path('photos/a.jpg')} → ${runs.path('done/a.auto_enhance.jpg')} (`);
    expect(runs.created).toEqual([]);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'b.auto_enhance.jpg']);
    expect(await runs.run([typed('photos'), '--out', typed('done')])).toMatchObject({
      code: 0,
      text: '2 of 2 images were done before.\n',
    });
  });

  it('writes into the folder as it is named now', async () => {
    const typed = relative(process.cwd(), runs.path('done'));
    await begin(runs.path('photos'), '--out', typed);
    // Ends after the names of the results were recorded.
    const unread = { 'GET /files/job_1.jpg?exp=1&sig=2': [problem(503, 'service_unavailable')] };
    runs.script(unread);
    expect(await runs.run([runs.path('photos'), '--out', typed])).toMatchObject({ code: 1 });
    runs.script();
    const { code, text } = await runs.run([runs.path('photos'), ...out()]);
    expect(code, text).toBe(0);
    expect(text).toContain(` → ${runs.path('done/a.auto_enhance.jpg')} (`);
  });

  it('reads the journal of an earlier version, whose batches have paths as they were typed', async () => {
    await begin(runs.path('photos'), ...out());
    const name = (await readdir(runs.path('done'))).find((each) => each.endsWith('.jsonl'))!;
    const path = runs.path('done', name);
    const typed = relative(process.cwd(), runs.path('photos'));
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(`["${runs.path('photos')}/`, `["${typed}/`));
    expect(await runs.run([runs.path('photos'), ...out()])).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([]);
  });

  it('saves the result of an image that is no longer there', async () => {
    await begin(runs.path('photos'), ...out());
    await rm(runs.path('photos/a.jpg'));
    const { code, text } = await runs.run([runs.path('photos'), ...out()]);
    expect(code, text).toBe(0);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'b.auto_enhance.jpg']);
    expect(runs.created).toEqual([]);
    expect(await runs.run([runs.path('photos'), ...out()])).toMatchObject({
      code: 0,
      text: '1 of 1 images were done before.\n',
    });
  });

  it('saves the results of a folder that is no longer named, numbered as before', async () => {
    await runs.addPhotos('one', 'a.jpg');
    await runs.addPhotos('other', 'a.jpg');
    await begin(runs.path('one'), runs.path('other'), ...out());
    const { code, text } = await runs.run([runs.path('one'), ...out()]);
    expect(code, text).toBe(0);
    expect(text).toContain(`${runs.path('other/a.jpg')} → ${runs.path('done/a.auto_enhance-2.jpg')} (`);
    expect(await runs.results('done')).toEqual(['a.auto_enhance-2.jpg', 'a.auto_enhance.jpg']);
  });
});
