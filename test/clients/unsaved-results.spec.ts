import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { smallPhoto } from '../support/images/client-picture.js';
import { codeBlock } from '../support/source/code-blocks.js';
import { SharedService } from '../support/roles/shared-service.js';
import { InstalledClient } from '../support/clients/installed-client.js';
import { scriptedJson, scriptedProblem, ScriptedService } from '../support/clients/scripted-service.js';
import { shapeOf } from '../support/source/shape-of.js';

const PYTHON = { PYTHONPATH: join(ROOT, 'clients', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };
const ENHANCED = JSON.parse(
  codeBlock('clients/js/docs/command-line.md', 'An image that was enhanced', 'json'),
) as { readonly job: object };

/** A job that was paid for and whose result could not be saved is downloaded by the command that the run prints. */
describe('results that a command line has not saved', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let env: Record<string, string>;
  let number = 0;
  let out = '';

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { account } = await service.client();
    env = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key, ...PYTHON };
    await installed.write('a.png', await smallPhoto());
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });
  beforeEach(() => {
    number += 1;
    out = `it's ${number}`;
  });

  const sh = (command: string, more: Record<string, string> = {}) =>
    installed.run(['sh', '-c', command], { ...env, ...more });
  /** The only download command in a text. */
  const commandIn = (text: string) => {
    const [line, ...others] = [...text.matchAll(/^ {2}To download its result: (.+)$/gm)];
    expect(others).toEqual([]);
    return line?.[1];
  };

  describe.each([
    ['JavaScript', 'node_modules/.bin/image-enhancement-client', 'npx image-enhancement-client'],
    ['Python', 'python3 -m image_enhancement', 'python3 -m image_enhancement'],
  ])('in %s', (_language, program, printed) => {
    it('are downloaded by the printed command to the same path', async () => {
      // A folder has the name of the result, so that the file cannot take its place.
      const path = `${out}/a.auto_enhance.png`;
      await mkdir(installed.path(path), { recursive: true });
      const run = `${program} enhance a.png --force -o "${out}/"`;
      const { code, stderr } = await sh(run);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^a\.png: The result could not be written: .+ keeps it for now\.\n/),
      });
      const command = commandIn(stderr)!;
      expect(command.startsWith(`${printed} download job_`)).toBe(true);
      await rm(installed.path(path), { recursive: true });
      expect(await sh(command)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^job_\w+ → it's \d+\/a\.auto_enhance\.png \(\d+×\d+, [\d.]+ k?B\)\n$/),
      });
      expect(await readdir(installed.path(out))).toEqual(['a.auto_enhance.png']);
      expect((await readFile(installed.path(path))).subarray(1, 4).toString()).toBe('PNG');
    });

    it('are downloaded to standard output, a folder, or the current folder, but over no file', async () => {
      const made = await sh(`${program} enhance a.png -o "${out}/b.png" --json`);
      const { id } = (JSON.parse(made.stdout) as { job: { id: string } }).job;
      const download = (args: string) => sh(`${program} download ${id} ${args}`);
      const refused = await download(`-o "${out}/b.png"`);
      expect(refused).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/exists.*--force/),
      });
      expect(await download(`-o "${out}/b.png" --force -q`)).toEqual({ code: 0, stdout: '', stderr: '' });
      const shown = await download('-o -');
      expect(shown.stdout.slice(1, 4)).toBe('PNG');
      expect(shown.stderr).toContain(`${id} → -`);
      const inFolder = await download(`-o "${out}/new/" --json`);
      expect(shapeOf(JSON.parse(inFolder.stdout))).toEqual(
        shapeOf({ output: `${out}/new/${id}.png`, job: ENHANCED.job }),
      );
      expect(await download('')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`${id} → ${id}.png (`),
      });
      expect(await readdir(installed.path(out))).toEqual(['b.png', 'new']);
      expect((await download('extra')).code).toBe(2);
      expect(await sh(`${program} download ""`)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^Name one job/),
      });
      const unknown = await sh(`${program} download job_${'0'.repeat(32)}`);
      expect(unknown).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^There is no job/),
      });
    });

    it('have a command only if the job may still have one', async () => {
      const scripted = await ScriptedService.start();
      try {
        const source = {
          id: 'src_1',
          url: `${scripted.baseUrl}/files/src_1.png`,
          format: 'png',
          width: 1,
          height: 1,
          bytes: 1,
          sha256: '00',
          createdAt: '2026-01-02T03:04:05.678Z',
        };
        const job = { ...ENHANCED.job, id: 'job_1', result: null, resultUrl: null };
        const processing = { ...job, status: 'processing' };
        const resultUrl = `${scripted.baseUrl}/files/job_1.png?exp=1&sig=1`;
        const completed = { ...ENHANCED.job, id: 'job_1', resultUrl };
        const error = { code: 'processing_failed', message: 'It failed.', retryable: false };
        const runWith = async (state: object, args: string) => {
          scripted.script({
            'POST /api/ai/upload': [scriptedJson(201, source)],
            'POST /api/ai/enhance': [scriptedJson(201, processing)],
            'GET /api/ai/enhance/job_1': [scriptedJson(200, state)],
            'GET /files/job_1.png?exp=1&sig=1': [scriptedProblem(404, 'not_found')],
          });
          return sh(`${program} enhance a.png ${args}`, { IMAGE_ENHANCEMENT_URL: scripted.baseUrl });
        };
        const late = await runWith(processing, '--timeout 2');
        expect(late.code).toBe(1);
        expect(commandIn(late.stderr)).toBe(`${printed} download job_1`);
        const lateFile = await runWith(processing, `--timeout 2 -o ${number}.png --url ${scripted.baseUrl}`);
        expect(commandIn(lateFile.stderr)).toBe(
          `${printed} download job_1 -o ${number}.png --url ${scripted.baseUrl}`,
        );
        const unread = await runWith(completed, `-o ${number}/`);
        expect(unread.code).toBe(1);
        expect(commandIn(unread.stderr)).toBe(`${printed} download job_1 -o ${number}/a.auto_enhance.png`);
        const unreadLine = await runWith(completed, `-o ${number}/ --json`);
        expect(JSON.parse(unreadLine.stdout)).toMatchObject({
          error: { jobId: 'job_1', command: `${printed} download job_1 -o ${number}/a.auto_enhance.png` },
        });
        const broken = await runWith({ ...job, status: 'failed', error }, '');
        expect(broken.code).toBe(1);
        expect(broken.stderr).toContain('It failed.');
        expect(commandIn(broken.stderr)).toBeUndefined();
      } finally {
        scripted.close();
      }
    });

    it('of a folder are saved by the same command', async () => {
      await mkdir(installed.path(`in${number}`));
      await installed.write(`in${number}/a.png`, await smallPhoto());
      const path = `${out}/a.auto_enhance.png`;
      await mkdir(installed.path(path), { recursive: true });
      const run = `${program} enhance in${number} --force --out "${out}"`;
      const { code, stderr } = await sh(run);
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/keeps it for now\. The same command saves it\.\n$/),
      });
      await rm(installed.path(path), { recursive: true });
      expect(await sh(run)).toMatchObject({ code: 0 });
      expect((await readFile(installed.path(path))).subarray(1, 4).toString()).toBe('PNG');
    });
  });
});
