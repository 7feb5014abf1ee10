import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FolderRuns, itemsOf } from '../../../support/clients/folder-runs.js';
import { scriptedProblem as problem } from '../../../support/clients/scripted-service.js';

const BATCH = 'GET /api/ai/batches/bat_1';

/** A batch that was created with another key, was deleted, or has lost some of its jobs. */
describe('a folder run whose batch the service does not have', () => {
  let runs: FolderRuns;
  let args: string[];
  beforeEach(async () => {
    runs = await FolderRuns.start();
    await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
    args = [runs.path('photos'), '--out', runs.path('done')];
  });
  afterEach(() => runs.close());

  it.each([
    [404, 'not_found'],
    [410, 'gone'],
  ])('after %i, saves other batches, and the next run enhances its images again', async (status, code) => {
    runs.script({ [BATCH]: [problem(401, 'unauthenticated')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: 'unauthenticated' } });
    await runs.addPhotos('photos', 'c.jpg');
    runs.script(
      {
        [BATCH]: [problem(status, code)],
        'POST /api/ai/batches': [runs.creation('bat_2')],
      },
      [2, 1],
    );
    const second = await runs.run([...args, '--json']);
    expect(second).toMatchObject({ code: 1, error: undefined });
    const lines = second.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          file: runs.path('photos/a.jpg'),
          error: expect.objectContaining({ code }),
        }),
        expect.objectContaining({
          file: runs.path('photos/b.jpg'),
          error: expect.objectContaining({ code }),
        }),
        expect.objectContaining({ file: runs.path('photos/c.jpg'), job: expect.any(Object) }),
      ]),
    );
    expect(lines).toHaveLength(3);
    expect(await runs.results('done')).toEqual(['c.auto_enhance.jpg']);
    runs.script();
    const third = await runs.run(args);
    expect(third.code, third.text).toBe(0);
    expect(runs.created).toEqual([2]);
    expect(await runs.results('done')).toHaveLength(3);
  });

  it.each([404, 410])('after a %i of a proxy, continues the same batch', async (status) => {
    runs.script({ [BATCH]: [(_request, response) => void response.writeHead(status).end('<html></html>')] });
    expect(await runs.run(args)).toMatchObject({ error: { code: `http_${status}` } });
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([]);
    expect(await runs.results('done')).toHaveLength(2);
  });

  it('saves the other batches when one cannot be read', async () => {
    runs.script({ [BATCH]: [problem(401, 'unauthenticated')] });
    await runs.run(args);
    await runs.addPhotos('photos', 'c.jpg');
    runs.script(
      { [BATCH]: [problem(400, 'invalid_request')], 'POST /api/ai/batches': [runs.creation('bat_2')] },
      [2, 1],
    );
    expect(await runs.run(args)).toMatchObject({ error: { code: 'invalid_request' } });
    expect(await runs.results('done')).toEqual(['c.auto_enhance.jpg']);
    runs.script();
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([]);
  });

  it('reports images whose jobs are gone, and enhances them again', async () => {
    runs.script({ [itemsOf('bat_1')]: [runs.items([1])] });
    expect(await runs.run(args)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/a\.jpg: Its job was deleted or has expired/),
    });
    expect(await runs.results('done')).toEqual(['b.auto_enhance.jpg']);
    runs.script({}, [1]);
    expect(await runs.run(args)).toMatchObject({ code: 0 });
    expect(runs.created).toEqual([1]);
    expect(await runs.results('done')).toHaveLength(2);
  });
});
