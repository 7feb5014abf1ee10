import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { freePort } from '../../src/infra/database/embedded/free-port.js';
import { smallPhoto } from '../support/images/client-picture.js';
import { codeBlock } from '../support/source/code-blocks.js';
import { solidFile } from '../support/images/flow-drawn.js';
import { SharedService } from '../support/roles/shared-service.js';
import { eventually } from '../support/roles/flow-wait.js';
import { InstalledClient } from '../support/clients/installed-client.js';
import { scriptedJson, scriptedProblem, ScriptedService } from '../support/clients/scripted-service.js';
import { shapeOf } from '../support/source/shape-of.js';

const PYTHON = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };

const SOURCE = {
  id: 'src_1',
  url: 'https://service/files/src_1.png',
  format: 'png',
  width: 48,
  height: 40,
  bytes: 1000,
  sha256: '00',
  createdAt: '2026-01-02T03:04:05.678Z',
};

interface Line {
  readonly file: string;
  readonly output: string;
}

/** The example under a heading of the page. */
const example = (headline: string): unknown =>
  JSON.parse(codeBlock('clients/js/docs/command-line.md', headline, 'json'));

const shown = (headline: string, open?: string) => shapeOf(example(headline), open);

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Both command lines must pass the same tests, with the same files and the same service. */
describe('the command lines of the clients', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let env: Record<string, string>;
  let folder = 0;

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { account } = await service.client();
    env = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key };
    for (const name of ['one', 'two', 'three']) await mkdir(installed.path(name));
    for (const name of ['one/a.png', 'two/a.png', 'three/A.PNG']) {
      await installed.write(name, await smallPhoto());
    }
    await installed.write('one/a.jpg', await solidFile(20, 20, [10, 120, 200], 'jpeg'));
    await installed.write('misnamed.png', await solidFile(20, 20, [200, 120, 10], 'jpeg'));
    await installed.write('misnamed.jpg', await solidFile(20, 20, [200, 20, 10], 'jpeg'));
    await installed.write('notes.png', 'no image');
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });
  beforeEach(() => {
    folder += 1;
  });

  describe.each(['JavaScript', 'Python'])('in %s', (language) => {
    const run = (
      args: readonly string[],
      more: Record<string, string> = {},
      onStart?: (kill: (signal: NodeJS.Signals) => void) => void,
    ) => {
      const program =
        language === 'Python'
          ? ['python3', '-m', 'image_enhancement']
          : [installed.path('node_modules', '.bin', 'image-enhancement-client')];
      return installed.run([...program, ...args], { ...env, ...PYTHON, ...more }, onStart);
    };

    const enhance = async (...args: string[]) => {
      const end = await run(['enhance', ...args, '--json', '--concurrency', '1']);
      return { ...end, names: end.code === 0 ? linesOf(end.stdout).map(({ output }) => output) : [] };
    };

    describe('prints JSON of the documented shape', () => {
      it('for an enhanced image', async () => {
        const { stdout, code } = await enhance('one/a.png', '-o', `out${folder}/`);
        expect(code).toBe(0);
        expect(linesOf(stdout).map((line) => shapeOf(line))).toEqual([shown('An image that was enhanced')]);
      });

      it('for a refused image', async () => {
        const { stdout, code } = await enhance('notes.png');
        expect(code).toBe(1);
        expect(linesOf(stdout).map((line) => shapeOf(line))).toEqual([shown('An image that was refused')]);
        expect(linesOf(stdout)[0]).toMatchObject({
          file: 'notes.png',
          error: { code: 'unsupported_media_type', jobId: null },
        });
      });

      it('for an image when the service is unreachable', async () => {
        const nowhere = `http://127.0.0.1:${await freePort()}`;
        const { stdout, code } = await enhance('one/a.png', '--url', nowhere);
        expect(code).toBe(5);
        expect(linesOf(stdout).map((line) => shapeOf(line))).toEqual([
          shown('An image that nobody answered for'),
        ]);
      });

      it('on standard error when the image goes to standard output', async () => {
        const failed = await enhance('notes.png', '-o', '-');
        expect(failed.stdout).toBe('');
        expect(linesOf(failed.stderr).map((line) => shapeOf(line))).toEqual([
          shown('An image that was refused'),
        ]);
        const done = await run(['enhance', 'one/a.png', '-o', '-', '--json']);
        expect(done.stdout.slice(1, 4)).toBe('PNG');
        expect(linesOf(done.stderr)).toMatchObject([{ file: 'one/a.png', output: '-' }]);
      });

      it('for operations', async () => {
        const { stdout } = await run(['operations', '--json']);
        const lines = linesOf(stdout);
        const shapesOf = (...names: readonly string[]) =>
          lines
            .filter((line) => names.includes((line as unknown as { operation: string }).operation))
            .map((line) => shapeOf(line, 'scales'));
        const plain = shown('An operation with one strength', 'scales');
        const adjustable = shown('An operation whose strength can be chosen', 'scales');
        expect(lines).toHaveLength(4);
        expect(shapesOf('upscale', 'bg_remove')).toEqual([plain, plain]);
        expect(shapesOf('smooth_skin', 'auto_enhance')).toEqual([adjustable, adjustable]);
      });

      it('for usage', async () => {
        const { stdout: words } = await run(['usage']);
        expect(words).toMatch(
          /^Plan: {10}\w+\nEnhancements: {2}\d+ of \d+ this month, again from [\d-]+\nStorage: {7}[\d.]+ [kMGT]?B of [\d.]+ [kMGT]?B\nRequests: {6}\d+ a minute for each key\n$/,
        );
        const { stdout } = await run(['usage', '--json']);
        expect(linesOf(stdout).map((line) => shapeOf(line))).toEqual([shown('`usage`')]);
      });
    });

    describe('names results', () => {
      it('with a number where two names would collide, in the order of the sources', async () => {
        const out = `out${folder}`;
        const { names } = await enhance(
          'three/A.PNG',
          'one/a.png',
          'one/a.jpg',
          'two/a.png',
          '-o',
          `${out}/`,
        );
        expect(names).toEqual([
          `${out}/A.auto_enhance.png`,
          `${out}/a.auto_enhance-2.png`,
          `${out}/a.auto_enhance.jpg`,
          `${out}/a.auto_enhance-3.png`,
        ]);
        expect(await readdir(installed.path(out))).toHaveLength(4);
      });

      it('by the same rule next to their sources, without overwriting any', async () => {
        const own = `own${folder}`;
        await mkdir(installed.path(own));
        await installed.write(`${own}/a.png`, await smallPhoto());
        await installed.write(`${own}/a.jpg`, await solidFile(20, 20, [10, 120, 200], 'jpeg'));
        const order = ['-p', 'upscale', '-l', 'low', '--format', 'webp'];
        const { names } = await enhance(`${own}/a.png`, `${own}/a.jpg`, ...order);
        expect(names).toEqual([`${own}/a.upscale.webp`, `${own}/a.upscale-2.webp`]);
        const again = await run(['enhance', `${own}/a.jpg`, `${own}/a.png`, ...order]);
        expect(again).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/exists.*--force/),
        });
      });

      it('after their actual format, whatever the source is called', async () => {
        const out = `out${folder}`;
        const { names } = await enhance('misnamed.png', 'misnamed.jpg', '-o', `${out}/`);
        expect(names).toEqual([`${out}/misnamed.auto_enhance-2.jpg`, `${out}/misnamed.auto_enhance.jpg`]);
      });

      it('only once for a file that is given twice', async () => {
        const out = `out${folder}`;
        const { names } = await enhance('one/a.png', 'two/../one/a.png', '-o', `${out}/`);
        expect(names).toEqual([`${out}/a.auto_enhance.png`]);
      });

      it('without overwriting existing files, even numbered ones', async () => {
        const out = `out${folder}`;
        await mkdir(installed.path(out));
        await installed.write(`${out}/a.auto_enhance-2.png`, 'precious');
        const args = ['one/a.png', 'two/a.png', '-o', `${out}/`];
        const refused = await run(['enhance', ...args]);
        expect(refused).toMatchObject({ code: 2, stdout: '' });
        expect(refused.stderr).toMatch(/a\.auto_enhance-2\.png exists\..*--force/);
        expect(await readdir(installed.path(out))).toEqual(['a.auto_enhance-2.png']);
        expect((await enhance(...args, '--force')).names).toHaveLength(2);
        expect((await readFile(installed.path(out, 'a.auto_enhance-2.png'))).length).toBeGreaterThan(100);
      });

      it('in folders that it creates, and only in a folder for several images', async () => {
        const out = `out${folder}`;
        expect((await enhance('one/a.png', '-o', `${out}/deep/b.webp`)).names).toEqual([
          `${out}/deep/b.webp`,
        ]);
        const refused = await run(['enhance', 'one/a.png', 'one/a.jpg', '-o', `${out}/c`]);
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/must be a folder/) });
        const inFile = await run(['enhance', 'one/a.png', '-o', 'notes.png/b.png']);
        expect(inFile).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot be made/) });
      });

      it('as its help describes', async () => {
        const { stdout } = await run(['enhance', '--help']);
        const help = stdout.replaceAll(/\s+/g, ' ');
        expect(help).toContain('numbered in the order of their sources, as photo.upscale-2.jpg');
        expect(help).toContain('write over files that exist, which is never done without it');
      });
    });

    it('reports the job of a result that an interrupt left unsaved', async () => {
      const scripted = await ScriptedService.start();
      try {
        const id = 'job_1';
        const resultUrl = `${scripted.baseUrl}/files/job_1.png?sig=1`;
        const { job } = example('An image that was enhanced') as { job: object };
        const completed = { ...job, id, resultUrl };
        scripted.script({
          'POST /api/ai/upload': [scriptedJson(201, SOURCE)],
          'POST /api/ai/enhance': [scriptedJson(201, completed)],
          [`GET /api/ai/enhance/${id}/events`]: [scriptedProblem(404, 'not_found')],
          [`GET /api/ai/enhance/${id}`]: [scriptedJson(200, completed)],
          'GET /files/job_1.png?sig=1': [() => undefined],
        });
        let kill: ((signal: NodeJS.Signals) => void) | undefined;
        const args = ['enhance', 'one/a.png', '-o', `out${folder}/`, '--json'];
        const ending = run(args, { IMAGE_ENHANCEMENT_URL: scripted.baseUrl }, (given) => (kill = given));
        await eventually('the download', () => {
          const what = scripted.seen.map((request) => request.what);
          return { found: what.find((each) => each.startsWith('GET /files/')), seen: what };
        });
        kill!('SIGINT');
        const { code, stdout, stderr } = await ending;
        expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringMatching(/^Interrupted/) });
        expect(linesOf(stdout)).toEqual([
          {
            file: 'one/a.png',
            error: {
              code: 'aborted',
              message: 'The job job_1 had completed; its result was not saved, the service keeps it for now.',
              jobId: id,
              idempotencyKey: null,
              command: `${language === 'Python' ? 'python3 -m image_enhancement' : 'npx image-enhancement-client'} download job_1 -o out${folder}/a.auto_enhance.png`,
            },
          },
        ]);
      } finally {
        scripted.close();
      }
    });
  });
});
