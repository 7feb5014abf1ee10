import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AbortedError, ImageEnhancement, type UploadProgress } from '../../../clients/js/src/node.js';
import { DirectUploadHarness } from '../../support/app/direct-upload-harness.js';
import { recordingFetch } from '../../support/clients/recording-fetch.js';
import { ensureClientBuild } from '../../support/clients/client-build.js';
import { COMMAND_LINE } from '../../support/clients/mcp-agent.js';
import { solidFile } from '../../support/images/flow-drawn.js';

const PYTHON = join(import.meta.dirname, '../../../clients/python/src');

/** Runs both clients against a real object store. */
describe('direct uploads of the clients', () => {
  let direct: DirectUploadHarness;
  let folder: string;
  let photo: Buffer;
  let key: string;
  beforeAll(async () => {
    await ensureClientBuild();
    direct = await DirectUploadHarness.start();
    folder = await mkdtemp(join(tmpdir(), 'ies-direct-'));
    photo = await solidFile(300, 200, [10, 120, 200], 'png');
    await writeFile(join(folder, 'photo.png'), photo);
  });
  beforeEach(async () => {
    ({ key } = await direct.harness.createAccount());
  });
  afterAll(async () => {
    await direct?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const clientOf = (fetch?: typeof globalThis.fetch) =>
    new ImageEnhancement({ baseUrl: direct.harness.url, apiKey: key, fetch, headers: { 'x-mine': '1' } });
  const uploads = async () =>
    direct.harness.rows(`SELECT name, source_id FROM direct_uploads ORDER BY id DESC`);

  it('send the file to the store without the key, and report progress', async () => {
    const { fetch, requests } = recordingFetch();
    const told: UploadProgress[] = [];
    const path = join(folder, 'photo.png');
    const source = await clientOf(fetch).upload(path, {
      direct: true,
      onProgress: (each) => told.push(each),
    });
    expect(source).toMatchObject({ format: 'png', width: 300, height: 200, bytes: photo.length });
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']);
    const { headers } = requests[1]!;
    expect([headers.get('x-api-key'), headers.get('x-mine')]).toEqual([null, null]);
    expect(told[0]).toEqual({ sentBytes: 0, totalBytes: photo.length });
    expect(told.at(-1)).toEqual({ sentBytes: photo.length, totalBytes: photo.length });
    expect((await uploads())[0]).toEqual({ name: 'photo.png', source_id: source.id });
  });

  it('survive a lost response at every step', async () => {
    const lost = new Set<string>();
    const flaky: typeof globalThis.fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const step = `${init?.method} ${new URL(input as string).pathname.split('/').at(-1)}`;
      if (lost.has(step)) return answer;
      lost.add(step);
      throw new TypeError('the connection broke');
    };
    const client = clientOf(flaky);
    const { data, requestId } = await client.upload(photo, { direct: true }).withResponse();
    expect(requestId).toMatch(/^req_/);
    expect(lost.size).toBe(3);
    expect((await client.sources.list().all()).map(({ id }) => id)).toEqual([data.id]);
  });

  it('stop when aborted, and reject a file that is not an image', async () => {
    const stop = new AbortController();
    const { fetch, requests } = recordingFetch(({ method }) => {
      if (method === 'PUT') stop.abort();
      return undefined;
    });
    const aborted = clientOf(fetch).upload(photo, { direct: true, signal: stop.signal });
    await expect(aborted).rejects.toThrow(AbortedError);
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT']);
    await expect(clientOf().upload(Buffer.from('text'), { direct: true })).rejects.toMatchObject({
      status: 415,
    });
    expect((await clientOf().usage()).storage.usedBytes).toBe(0);
  });

  it.each([
    ['JavaScript', process.execPath, [COMMAND_LINE]],
    ['Python', 'python3', ['-m', 'image_enhancement']],
  ])('are available as a flag of the %s command line', async (_name, program, args) => {
    const { code, output } = await run(program, [...args, 'presets', 'list']);
    expect(code, output).toBe(0);
    // No worker runs, because only the upload matters here.
    const { output: said } = await run(program, [
      ...args,
      'enhance',
      'photo.png',
      '--dry-run',
      '--direct',
      '--json',
    ]);
    expect(said).toMatch(/dryRun|error/);
    expect((await uploads())[0], said).toEqual({
      name: 'photo.png',
      source_id: expect.stringMatching(/^src_/),
    });
  });

  function run(program: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
    const env = {
      PATH: process.env['PATH'],
      PYTHONPATH: PYTHON,
      PYTHONDONTWRITEBYTECODE: '1',
      IMAGE_ENHANCEMENT_URL: direct.harness.url,
      IMAGE_ENHANCEMENT_API_KEY: key,
    };
    const child = spawn(program, args, { cwd: folder, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, output }));
    });
  }
});
