import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT } from '../../support/clients/client-build.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { IdleWorker } from '../../support/roles/idle-worker.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { InstalledClient } from '../../support/clients/installed-client.js';
import {
  scriptedJson,
  scriptedProblem,
  type ScriptedReply,
  ScriptedService,
} from '../../support/clients/scripted-service.js';

describe('the example that enhances a folder', () => {
  let installed: InstalledClient;
  beforeAll(async () => {
    installed = await InstalledClient.create();
    const example = await readFile(join(CLIENT, 'examples', 'batch-folder.mjs'), 'utf8');
    await installed.write('batch.mjs', example);
  });
  afterAll(async () => installed?.close());

  const run = (
    folders: readonly [string, string],
    env: Record<string, string>,
    onStart?: (kill: (signal: NodeJS.Signals) => void) => void,
  ) => installed.run([process.execPath, 'batch.mjs', ...folders], env, onStart);

  describe('with the service', () => {
    let service: FlowService;
    beforeAll(async () => {
      service = await FlowService.start();
    });
    afterAll(async () => service?.close());

    const newClient = async () => {
      const client = await service.client();
      const env = {
        IMAGE_ENHANCEMENT_URL: service.baseUrl,
        IMAGE_ENHANCEMENT_API_KEY: client.account.key,
      };
      return { client, env };
    };

    it('resumes where it stopped', async () => {
      const { env } = await newClient();
      await mkdir(installed.path('photos'));
      await installed.write('photos/a.png', await smallPhoto());
      await installed.write('photos/b.jpg', await solidFile(30, 20, [200, 100, 50], 'jpeg'));
      await installed.write('photos/c.jpg', 'no image');
      await installed.write('photos/notes.txt', 'not looked at');
      const first = await run(['photos', 'done'], env);
      expect(first.code).toBe(1);
      expect(first.stdout).toMatch(/^3 of 3 images to do\n/);
      expect(first.stderr).toMatch(/^c\.jpg: unsupported_media_type: /);
      expect((await readdir(installed.path('done'))).toSorted()).toEqual(['a.png', 'b.jpg']);
      expect((await run(['photos', 'done'], env)).stdout).toMatch(/^1 of 3 images to do\n/);
    });

    it('pays once for a photo when killed and restarted, even if its keys are forgotten', async () => {
      const { client, env } = await newClient();
      await mkdir(installed.path('long'));
      await installed.write('long/a.png', await smallPhoto());
      const worker = new IdleWorker(service);
      await worker.pause();
      let kill: ((signal: NodeJS.Signals) => void) | undefined;
      const killed = run(['long', 'longer'], env, (given) => (kill = given));
      await eventually('the note of the job', async () => {
        const names = await readdir(installed.path('longer')).catch(() => []);
        const notes = await Promise.all(
          names
            .filter((name) => name.endsWith('.job'))
            .map((name) => readFile(installed.path('longer', name), 'utf8')),
        );
        return { found: notes.find((note) => note.startsWith('job_')), seen: notes };
      });
      kill!('SIGKILL');
      await killed;
      await service.database.rows('DELETE FROM idempotency_keys');
      worker.resume();
      expect(await run(['long', 'longer'], env)).toMatchObject({ code: 0, stderr: '' });
      expect(await readdir(installed.path('longer'))).toEqual(['a.png']);
      expect((await client.usage()).enhancements.used).toBe(1);
    });
  });

  describe('with a misbehaving service', () => {
    const URL = 'https://service/files/src_1.png';
    const JOB = {
      id: 'job_1',
      status: 'completed',
      progress: 1,
      attempts: 1,
      error: null,
      result: { format: 'png', width: 1, height: 1, bytes: 5, sha256: '' },
    };
    const error = { code: 'worker_lost', message: 'The worker was lost.', retryable: true };
    const failed = { ...JOB, status: 'failed', result: undefined, error };
    const DIGEST_OF_IMAGE = '6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d';
    const image: ScriptedReply = (_request, response) => void response.end('image');
    let scripted: ScriptedService;
    let folder = 0;

    beforeEach(async () => {
      scripted = await ScriptedService.start();
      folder += 1;
      await mkdir(installed.path(`in${folder}`));
      await installed.write(`in${folder}/a.png`, await smallPhoto());
      return () => scripted.close();
    });

    const start = (more: Record<string, string> = {}) =>
      run([`in${folder}`, `out${folder}`], {
        IMAGE_ENHANCEMENT_URL: scripted.baseUrl,
        IMAGE_ENHANCEMENT_API_KEY: 'ies_x',
        ...more,
      });
    const notes = async () => {
      const names = (await readdir(installed.path(`out${folder}`))).filter((name) => name.endsWith('.job'));
      return Promise.all(names.map((name) => readFile(installed.path(`out${folder}`, name), 'utf8')));
    };
    const script = (creations: readonly ScriptedReply[], job: object) => {
      const done = {
        ...job,
        resultUrl: `${scripted.baseUrl}/files/job_1.png`,
        ...('result' in job && job.result !== undefined
          ? { result: { ...job.result, sha256: DIGEST_OF_IMAGE } }
          : {}),
      };
      scripted.script({
        'POST /api/ai/upload': [scriptedJson(201, { url: URL })],
        'POST /api/ai/enhance': [...creations, scriptedJson(201, done)],
        'GET /api/ai/enhance/job_1/events': [scriptedProblem(404, 'not_found')],
        'GET /api/ai/enhance/job_1': [scriptedJson(200, done)],
        'GET /files/job_1.png': [image],
      });
    };
    const creationKeys = () =>
      scripted.seen
        .filter(({ what }) => what === 'POST /api/ai/enhance')
        .map(({ idempotencyKey }) => idempotencyKey);

    it('attempts a retryable job three times per start, each time with a new key', async () => {
      script([], failed);
      const { code, stderr } = await start();
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'a.png: worker_lost: The worker was lost. (job job_1)\n',
      });
      const keys = creationKeys();
      expect(new Set(keys).size).toBe(3);
      script([], JOB);
      expect(await start()).toMatchObject({ code: 0, stderr: '' });
      expect(creationKeys()).toHaveLength(1);
      expect(keys).not.toContain(creationKeys()[0]);
      expect(await readdir(installed.path(`out${folder}`))).toEqual(['a.png']);
    });

    it.each([
      ['whose key belongs to an upload that is forgotten', scriptedProblem(422, 'idempotency_mismatch')],
      ['whose source was deleted', scriptedProblem(410, 'gone')],
    ])('recreates a job %s', async (_name, refusal) => {
      script([refusal], JOB);
      expect(await start()).toMatchObject({ code: 0, stderr: '' });
      expect(new Set(creationKeys()).size).toBe(2);
      const uploads = scripted.seen.filter(({ what }) => what === 'POST /api/ai/upload');
      expect(new Set(uploads.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
    });

    it('creates separate jobs for identical photos', async () => {
      await installed.write(`in${folder}/b.png`, await smallPhoto());
      script([], failed);
      expect((await start()).code).toBe(1);
      expect(creationKeys()).toHaveLength(6);
      expect(new Set(creationKeys()).size).toBe(6);
      expect(new Set(await notes()).size).toBe(2);
    });

    it('keeps the old note when it is killed while writing a new one', async () => {
      await installed.write(
        'killed.mjs',
        `import fs from 'node:fs';
         import { syncBuiltinESMExports } from 'node:module';
         const write = fs.writeFileSync;
         fs.writeFileSync = (path, text, ...more) => {
           if (String(text).startsWith('job_')) return write(path, text, ...more);
           write(path, '');
           process.kill(process.pid, 'SIGKILL');
         };
         syncBuiltinESMExports();`,
      );
      script([], failed);
      expect((await start({ NODE_OPTIONS: '--import=./killed.mjs' })).code).toBe(null);
      expect(await notes()).toEqual(['job_1']);
      script([], JOB);
      expect(await start()).toMatchObject({ code: 0, stderr: '' });
      expect(creationKeys()).toEqual([]);
      expect(await notes()).toEqual([]);
    });

    it('does not repeat a job that would fail again', async () => {
      script([], { ...failed, error: { ...error, code: 'undecodable_image', retryable: false } });
      expect((await start()).code).toBe(1);
      expect(creationKeys()).toHaveLength(1);
    });
  });
});
