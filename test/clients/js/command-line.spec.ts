import { sizeText } from '../../../clients/js/src/cli/size-text.js';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile } from '../../support/images/flow-drawn.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { VERSION } from '../../../clients/js/src/version.js';
import { InstalledClient } from '../../support/clients/installed-client.js';

/** One line of JSON output. */
interface Line {
  readonly file: string;
  readonly output: string;
  readonly job?: { readonly status: string };
  readonly error?: object;
}

describe('the command line of the JavaScript client', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let env: Record<string, string>;

  const program = () => installed.path('node_modules', '.bin', 'image-enhancement-client');
  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    installed.run([program(), ...args], {
      ...env,
      ...more,
    });

  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { account } = await service.client();
    env = { IMAGE_ENHANCEMENT_URL: service.baseUrl, IMAGE_ENHANCEMENT_API_KEY: account.key };
    for (const name of ['a.png', 'b.png', 'c.png']) await installed.write(name, await smallPhoto());
    await installed.write('bad.png', 'no image');
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });

  it('formats sizes like the other command line', () => {
    const sizes = [712, 1765, 2 ** 20 - 1, 20 * 2 ** 20, 50 * 2 ** 30, 3 * 2 ** 50];
    expect(sizes.map(sizeText)).toEqual(['712 B', '1.7 kB', '1 MB', '20 MB', '50 GB', '3072 TB']);
  });

  it('enhances one image into the given file', async () => {
    const { code, stdout, stderr } = await run([
      'enhance',
      'a.png',
      '-p',
      'upscale',
      '-l',
      'low',
      '-o',
      'big.webp',
    ]);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^a\.png → big\.webp \(96×80, [\d.]+ k?B, \d+\.\d s\)\n$/);
    expect(code).toBe(0);
    expect((await readFile(installed.path('big.webp'))).toString('latin1', 8, 12)).toBe('WEBP');
  });

  it('enhances several images, prints JSON for each, and fails if one is not an image', async () => {
    const { code, stdout } = await run(['enhance', '?.png', 'bad.png', '-o', 'out/', '--json']);
    expect(code).toBe(1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(lines).toHaveLength(4);
    const failed = lines.find(({ error }) => error !== undefined);
    expect(failed).toMatchObject({
      file: 'bad.png',
      error: { code: 'unsupported_media_type', status: 415, requestId: expect.stringMatching(/^req_/) },
    });
    const good = lines.filter(({ job }) => job?.status === 'completed').map(({ output }) => output);
    expect(good.toSorted()).toEqual([
      'out/a.auto_enhance.png',
      'out/b.auto_enhance.png',
      'out/c.auto_enhance.png',
    ]);
  });

  it('enhances with several operations, and with a saved preset', async () => {
    const chain = ['-p', 'auto_enhance', '--then', 'smooth_skin:low'];
    const { stdout } = await run(['enhance', 'a.png', ...chain, '-o', 'chain.png', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      job: { operations: [{ operation: 'auto_enhance' }, { operation: 'smooth_skin', level: 'low' }] },
    });
    const saved = await run(['presets', 'save', 'mine', ...chain, '--format', 'webp', '--json']);
    expect(JSON.parse(saved.stdout)).toMatchObject({ name: 'mine', output: { format: 'webp' } });
    expect((await run(['presets', 'list'])).stdout).toMatch(/^mine {2}auto_enhance, smooth_skin:low$/m);
    expect(JSON.parse((await run(['presets', 'show', 'mine'])).stdout)).toMatchObject({ isBuiltIn: false });
    const done = await run(['enhance', 'a.png', '--preset', 'mine']);
    expect(done.stdout, done.stderr).toMatch(/^a\.png → a\.mine\.webp \(48×40, /);
    expect(await run(['presets', 'delete', 'mine'])).toMatchObject({ code: 0, stdout: '' });
    expect(await run(['enhance', 'a.png', '--preset', 'mine', '-o', 'none.png'])).toMatchObject({ code: 1 });
    expect(await run(['presets', 'delete', 'portrait'])).toMatchObject({ code: 1 });
    expect(await run(['presets', 'save', 'mine', '--preset', 'portrait'])).toMatchObject({ code: 2 });
    expect(await run(['presets', 'show'])).toMatchObject({ code: 2 });
  });

  it('overwrites a file only with --force', async () => {
    await installed.write('kept.png', 'precious');
    const refused = await run(['enhance', 'a.png', '-o', 'kept.png']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/^kept\.png exists\..*--force/);
    expect(await readFile(installed.path('kept.png'), 'utf8')).toBe('precious');
    expect((await run(['enhance', 'a.png', '-o', 'kept.png', '--force', '--quiet'])).stdout).toBe('');
    expect((await readFile(installed.path('kept.png'))).length).toBeGreaterThan(100);
  });

  it('reads standard input and writes standard output', async () => {
    const bin = program();
    const line = `cat a.png | ${bin} enhance - --format jpeg > piped.jpg`;
    const { code, stderr } = await installed.run(['bash', '-c', line], env);
    expect(code, stderr).toBe(0);
    expect((await readFile(installed.path('piped.jpg'))).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  });

  it('shows usage and operations, as text and as JSON', async () => {
    expect((await run(['usage'])).stdout).toMatch(
      /^Plan: {10}enterprise\nEnhancements: {2}\d+ of 1000000 this month/,
    );
    expect(JSON.parse((await run(['usage', '--json'])).stdout)).toMatchObject({ plan: 'enterprise' });
    expect((await run(['operations'])).stdout).toMatch(/^upscale +low, medium, high {2}\S/m);
  });

  it('reports each kind of failure by its exit code', async () => {
    expect((await run(['--help'])).code).toBe(0);
    expect((await run(['--version'])).stdout).toBe(`${VERSION}\n`);
    expect(await run(['enhance'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Name at least one image/),
    });
    expect(await run(['enhance', '*.gif'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/No file matches/),
    });
    expect(await run(['frobnicate'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/no command/) });
    expect(await run(['usage'], { IMAGE_ENHANCEMENT_API_KEY: '' })).toMatchObject({ code: 2 });
    expect(await run(['usage', '--key', 'ies_x'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/API key/),
    });
    const poor = (await service.client({ enhancements: 0 })).account.key;
    const used = await run(['enhance', 'a.png', '-o', 'never.png', '--key', poor]);
    expect(used).toMatchObject({ code: 4, stderr: expect.stringMatching(/a\.png: .*\n {2}\w+: http/) });
    expect(await run(['enhance', 'missing.png'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no such file/),
    });
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await run(['usage', '--url', nowhere])).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  it('cancels running jobs and fails when nobody reads its output', async () => {
    const client = await service.client();
    for (const name of ['busy-1.png', 'busy-2.png', 'busy-3.png']) {
      await installed.write(name, await busyFile());
    }
    const order = `-p ${BUSY_ORDER.operation} -l ${BUSY_ORDER.level}`;
    // `head` reads only the first line, about the bad file. Writing the second line fails, which cancels the rest.
    const line = `'${program()}' enhance bad.png busy-?.png ${order} --concurrency 2 --json -o unread/ | head -1; exit "\${PIPESTATUS[0]}"`;
    const ending = await installed.run(['bash', '-c', line], {
      ...env,
      IMAGE_ENHANCEMENT_API_KEY: client.account.key,
    });
    expect(ending).toMatchObject({ code: 1, stdout: expect.stringMatching(/^\{"file":"bad\.png".*\n$/) });
    expect(ending.stderr).toBe('Nobody reads the output any more; what had not ended was canceled.\n');
    const { json } = await client.request('GET', '/api/ai/enhance');
    const ends = (json['data'] as { status: string; error: { code: string } | null }[]).map(
      ({ status, error }) => error?.code ?? status,
    );
    const completed = ends.filter((end) => end === 'completed').length;
    expect([1, 2]).toContain(completed);
    expect(ends.filter((end) => end === 'canceled')).toHaveLength(ends.length - completed);
    expect((await readdir(installed.path('unread'))).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('exits at once when interrupted while standard input is silent', async () => {
    // Not a pipeline: bash would wait for all of it.
    const line = `mkfifo silent; sleep 60 >silent & writer=$!; '${program()}' enhance - -o silent.png <silent & child=$!; sleep 4; kill -INT "$child"; wait "$child"; echo "code $?"; kill "$writer"`;
    const { stdout, stderr } = await installed.run(['bash', '-mc', line], env);
    expect(stdout).toMatch(/code 130/);
    expect(stderr).toMatch(/Interrupted; what had not ended/);
  });

  it('cancels the running job when interrupted', async () => {
    const client = await service.client();
    await installed.write('busy.png', await busyFile());
    const args = ['enhance', 'busy.png', '-p', BUSY_ORDER.operation, '-l', BUSY_ORDER.level];
    let kill: ((signal: NodeJS.Signals) => void) | undefined;
    const ending = installed.run(
      [program(), ...args],
      { ...env, IMAGE_ENHANCEMENT_API_KEY: client.account.key },
      (given) => (kill = given),
    );
    const id = await eventually('the job to be worked on', async () => {
      const { json } = await client.request('GET', '/api/ai/enhance?status=processing');
      const [job] = json['data'] as { id: string }[];
      return { found: job?.id, seen: json };
    });
    kill!('SIGINT');
    expect(await ending).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(/^Interrupted/),
    });
    expect(await client.job(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } });
    expect((await client.usage()).enhancements.used).toBe(0);
  });
});
