import { symlink, unlink, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns } from '../../../support/clients/folder-runs.js';
import { scriptedProblem as problem } from '../../../support/clients/scripted-service.js';

describe('a folder run over files that cannot be read', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    args = [runs.path('photos'), '--out', runs.path('done')];
  });
  afterEach(() => runs.close());

  it('reports them, and enhances the others', async () => {
    await symlink('nowhere.jpg', runs.path('photos/broken.jpg'));
    const latin1 = Buffer.concat([
      Buffer.from(runs.path('photos/caf')),
      Buffer.from([0xe9]),
      Buffer.from('.jpg'),
    ]);
    await writeFile(latin1, 'a name that is not UTF-8');
    runs.script();
    const { text, ...end } = await runs.run([...args, '--json']);
    expect(end).toEqual({ code: 1, error: undefined, stderr: '' });
    const lines = text.trim().split('\n');
    const error = expect.objectContaining({
      code: 'invalid_file',
      message: expect.stringMatching(/ cannot be read: no such file or directory\.$/),
    }) as object;
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ file: runs.path('photos/a.jpg'), job: expect.any(Object) }),
        expect.objectContaining({ file: runs.path('photos/b.jpg'), job: expect.any(Object) }),
        { file: runs.path('photos/broken.jpg'), error },
        { file: runs.path('photos/caf�.jpg'), error },
      ]),
    );
    expect(lines).toHaveLength(4);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'b.auto_enhance.jpg']);
  });

  it('names the images whose type the service does not accept, and enhances the others', async () => {
    const names = ['c.TIFF', 'd.heic', 'e.bmp', 'f.tif', '.g.tif', 'notes.txt'];
    await runs.addPhotos('photos', ...names);
    const named = ['c.TIFF', 'd.heic', 'e.bmp'].map((name) => runs.path('photos', name)).join(', ');
    runs.script();
    expect(await runs.run([...args, '--json'])).toMatchObject({
      code: 0,
      stderr: `Left out, because only .jpg, .jpeg, .png, .webp and .avif files of a folder are enhanced: ${named} and 1 more\n`,
    });
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg', 'b.auto_enhance.jpg']);
    runs.script();
    expect(await runs.run([...args, '-p', 'upscale', '-q'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not enhance the earlier upload of one', async () => {
    runs.script({ 'POST /api/ai/batches': [problem(400, 'invalid_option')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'invalid_option' } });
    await unlink(runs.path('photos/b.jpg'));
    await symlink('nowhere.jpg', runs.path('photos/b.jpg'));
    runs.script({}, [1]);
    expect(await runs.run(args)).toMatchObject({ code: 1, error: undefined });
    expect(runs.created).toEqual([1]);
    expect(await runs.results('done')).toEqual(['a.auto_enhance.jpg']);
  });
});
