import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InstalledClient } from '../../support/clients/installed-client.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SharedService } from '../../support/roles/shared-service.js';

type Client = Awaited<ReturnType<SharedService['client']>>;

/** `enhance folder/ --out done/`: a batch that can be interrupted at any time and resumed. */
describe('the folder command of the JavaScript client', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let client: Client;
  let folder = 0;
  let photos: string;
  let done: string;

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });
  beforeEach(async () => {
    folder += 1;
    [photos, done] = [`photos${folder}`, `done${folder}`];
    client = await service.client();
    await mkdir(installed.path(photos));
  });

  const program = () => installed.path('node_modules', '.bin', 'image-enhancement-client');
  const run = (args: readonly string[], onStart?: (kill: (signal: NodeJS.Signals) => void) => void) => {
    const env = {
      IMAGE_ENHANCEMENT_URL: service.baseUrl,
      IMAGE_ENHANCEMENT_API_KEY: client.account.key,
    };
    return installed.run([program(), 'enhance', ...args], env, onStart);
  };
  const addPhoto = async (name: string, shade: number) =>
    installed.write(`${photos}/${name}`, await solidFile(20, 20, [shade, 120, 200], 'jpeg'));
  const results = async () =>
    (await readdir(installed.path(done))).filter((name) => !name.startsWith('.')).toSorted();
  const journal = async () => {
    const names = await readdir(installed.path(done));
    const name = names.find((each) => each.endsWith('.jsonl'));
    return name === undefined ? undefined : installed.path(done, name);
  };
  /** Makes the journal forget the batches and results that the service has answered with. */
  const forgetAnswers = async (edit: (text: string) => string) => {
    const path = (await journal())!;
    const isKept = (line: string) => !/"id":"bat_|"hasEnded"|"isSaved":true/.test(line);
    const lines = (await readFile(path, 'utf8')).split('\n').filter(isKept);
    await writeFile(path, edit(lines.join('\n')));
  };
  const batches = async () =>
    (await client.request('GET', '/api/ai/batches')).json['data'] as { id: string; status: string }[];
  const used = async () => (await client.usage()).enhancements.used;

  it('enhances only new and changed images', async () => {
    await addPhoto('a.jpg', 10);
    await installed.write(`${photos}/b.png`, await smallPhoto());
    await installed.write(`${photos}/bad.jpg`, 'no image');
    await installed.write(`${photos}/notes.txt`, 'not looked at');
    const args = [photos, '--out', done, '-p', 'auto_enhance', '--then', 'smooth_skin:low'];
    const first = await run([...args, '--json']);
    expect(first.code, first.stderr).toBe(1);
    const lines = first.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toHaveLength(3);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          file: `${photos}/bad.jpg`,
          error: expect.objectContaining({ status: 415 }),
        }),
        expect.objectContaining({
          file: `${photos}/a.jpg`,
          output: `${done}/a.auto_enhance.jpg`,
          job: expect.objectContaining({ batchId: expect.any(String), status: 'completed' }),
        }),
      ]),
    );
    expect(await results()).toEqual(['a.auto_enhance.jpg', 'b.auto_enhance.png']);
    expect(await used()).toBe(4);
    await addPhoto('bad.jpg', 20);
    await addPhoto('c.jpg', 30);
    const second = await run(args);
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 of 4 images were done before\.\n/),
    });
    expect(second.stdout).toMatch(/photos\d+\/c\.jpg → done\d+\/c\.auto_enhance\.jpg \(20×20, /);
    await addPhoto('a.jpg', 40);
    expect((await run([...args, '--quiet'])).stdout).toBe('');
    expect(await results()).toHaveLength(4);
    expect(await used()).toBe(10);
    expect(await batches()).toHaveLength(3);
  });

  it.each([
    ['the uploads', (text: string) => text.includes('"sourceUrl":"')],
    ['the creation of the batch', (text: string) => text.includes('"sentAtMs"')],
    ['the batch', (text: string) => text.includes('"id":"bat_')],
  ])('resumes after kill -9 during %s, and pays once', async (_name, isThere) => {
    for (const [index, name] of ['a.png', 'b.png', 'c.png'].entries()) {
      await installed.write(`${photos}/${name}`, await busyFile(120 + index));
    }
    const args = [photos, '--out', `${done}/`, '-p', BUSY_ORDER.operation, '-l', BUSY_ORDER.level];
    let kill: ((signal: NodeJS.Signals) => void) | undefined;
    const ending = run(args, (given) => (kill = given));
    await eventually(
      'the journal',
      async () => {
        const path = await journal().catch(() => undefined);
        const text = path === undefined ? '' : await readFile(path, 'utf8');
        return isThere(text) ? { found: true } : { seen: text };
      },
      { maxPauseMs: 20 },
    );
    kill!('SIGKILL');
    expect((await ending).code).toBeNull();
    const again = await run(args);
    expect(again.code, again.stderr).toBe(0);
    expect(await results()).toEqual(['a.upscale.png', 'b.upscale.png', 'c.upscale.png']);
    expect(await batches()).toHaveLength(1);
    expect(await used()).toBe(3);
    expect((await run([...args, '--json'])).stdout).toBe('');
    expect(await used()).toBe(3);
  });

  it('cancels the batch when interrupted, and resumes from there', async () => {
    for (const name of ['a.png', 'b.png', 'c.png']) {
      await installed.write(`${photos}/${name}`, await busyFile());
    }
    const args = [photos, '--out', done, '-p', BUSY_ORDER.operation, '-l', BUSY_ORDER.level];
    let kill: ((signal: NodeJS.Signals) => void) | undefined;
    const ending = run(args, (given) => (kill = given));
    await eventually('the batch', async () => ({ found: (await batches())[0] }));
    kill!('SIGINT');
    const { code, stderr } = await ending;
    expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringMatching(/goes on from here/) });
    const again = await run(args);
    expect(again.code, again.stderr).toBe(0);
    expect(await results()).toHaveLength(3);
    expect(await used()).toBe(3);
    expect(await batches()).toHaveLength(1);
  });

  it('refuses a second run while one is working, and takes over from a killed one', async () => {
    await addPhoto('a.jpg', 10);
    const args = [photos, '--out', done];
    await mkdir(installed.path(done));
    expect((await run(args)).code).toBe(0);
    const path = (await journal())!.replace(/jsonl$/, 'lock');
    const { hostname } = await import('node:os');
    await writeFile(path, `${process.pid} ${hostname()}`);
    expect(await run(args)).toMatchObject({ code: 2, stderr: expect.stringMatching(/Another run works/) });
    await writeFile(path, `4194304 ${hostname()}`);
    expect((await run(args)).code).toBe(0);
  });

  it('finds a batch whose idempotency key the service has forgotten', async () => {
    for (const [index, name] of ['a.jpg', 'b.jpg'].entries()) await addPhoto(name, 10 + index);
    const args = [photos, '--out', done];
    expect((await run(args)).code).toBe(0);
    const twoDaysAgo = Date.now() - 2 * 86_400_000;
    await forgetAnswers((text) => text.replace(/"sentAtMs":\d+/, `"sentAtMs":${twoDaysAgo}`));
    const again = await run(args);
    expect(again, again.stderr).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/a\.auto_enhance\.jpg/),
    });
    expect(await batches()).toHaveLength(1);
    expect(await used()).toBe(2);
  });

  it('finds a batch whose idempotency key was used with another request', async () => {
    for (const [index, name] of ['a.jpg', 'b.jpg'].entries()) await addPhoto(name, 10 + index);
    const args = [photos, '--out', done];
    expect((await run(args)).code).toBe(0);
    await forgetAnswers((text) => text.replace('"terms":{', '"terms":{"expiresIn":3600'));
    const again = await run(args);
    expect(again.code, again.stderr).toBe(0);
    expect(await results()).toHaveLength(2);
    expect(await batches()).toHaveLength(1);
    expect(await used()).toBe(2);
  });

  it('uploads images again that the service no longer has', async () => {
    await addPhoto('a.jpg', 10);
    const args = [photos, '--out', done];
    expect((await run(args)).code).toBe(0);
    const path = (await journal())!;
    const isKept = (line: string) => !/"batch":|"isSaved":true/.test(line);
    const lines = (await readFile(path, 'utf8')).split('\n').filter(isKept);
    // A different run, whose keys the service does not know.
    await writeFile(path, lines.join('\n').replace(/"run":"[^"]+"/, `"run":"other-${done}"`));
    const { json } = await client.request('GET', '/api/ai/sources');
    for (const { id } of json['data'] as { id: string }[]) await client.deleteSource(id);
    expect(await run(args)).toMatchObject({ code: 1, stdout: '' });
    const again = await run(args);
    expect(again.code, again.stderr).toBe(0);
    expect(await used()).toBe(2);
  });

  it('reads a journal that a power failure truncated', async () => {
    await addPhoto('a.jpg', 10);
    const args = [photos, '--out', done];
    expect((await run(args)).code).toBe(0);
    const path = (await journal())!;
    await writeFile(path, `${await readFile(path, 'utf8')}{"image":"/x","set":{"isS`);
    await addPhoto('b.jpg', 20);
    expect((await run(args)).code).toBe(0);
    expect(await used()).toBe(2);
    expect((await run(args)).code).toBe(0);
    expect(await used()).toBe(2);
  });

  it('sends job options', async () => {
    await addPhoto('a.jpg', 10);
    const args = [photos, '--json', '--cache', '--expires-in', '3600', '--cancel-after', '10m', '--out'];
    const first = await run([...args, done]);
    expect(first.code, first.stderr).toBe(0);
    const { job } = JSON.parse(first.stdout) as {
      job: { completedAt: string; result: { expiresAt: string } };
    };
    const keptMs = Date.parse(job.result.expiresAt) - Date.parse(job.completedAt);
    expect(Math.abs(keptMs - 3_600_000)).toBeLessThan(60_000);
    expect(JSON.parse((await run([...args, `${done}b`])).stdout)).toMatchObject({ job: { cached: true } });
    expect(await used()).toBe(1);
    const [{ id }] = (await batches()) as unknown as [{ id: string }];
    expect((await client.request('GET', `/api/ai/batches/${id}`)).json).toMatchObject({
      status: 'completed',
    });
    const refused = await run([photos, '--callback-url', 'nonsense', '--out', `${done}c`]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/callbackUrl/) });
  });

  it('rejects bad input and a used-up quota without using any enhancement', async () => {
    await addPhoto('a.jpg', 10);
    expect(await run([photos])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--out done\//) });
    await mkdir(installed.path('empty'), { recursive: true });
    expect(await run(['empty', '--out', done])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no JPEG, PNG, WebP or AVIF image in the folder empty/),
    });
    await mkdir(installed.path(done));
    await installed.write(`${done}/a.auto_enhance.jpg`, 'precious');
    expect(await run([photos, '--out', done])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/exists/),
    });
    const poor = await service.client({ enhancements: 0 });
    client = poor;
    expect(await run([photos, '--out', `${done}b`])).toMatchObject({ code: 4 });
    const dry = await run([photos, '--out', `${done}c/`, '--dry-run']);
    expect(dry).toMatchObject({ code: 4, stdout: '' });
    expect(await used()).toBe(0);
  });
});
