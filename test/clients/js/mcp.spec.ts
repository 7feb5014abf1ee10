import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureClientBuild } from '../../support/clients/client-build.js';
import { type Agent, type Answer, COMMAND_LINE, overStdio } from '../../support/clients/mcp-agent.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { BUSY_ORDER, busyFile } from '../../support/images/flow-drawn.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { SharedService } from '../../support/roles/shared-service.js';

describe('the Model Context Protocol', () => {
  let service: SharedService;
  let client: Awaited<ReturnType<SharedService['client']>>;
  let env: Record<string, string>;
  let folder: string;
  let root: string;
  let agent: Agent;

  beforeAll(async () => {
    await ensureClientBuild();
    service = await SharedService.join();
    client = await service.client();
    env = {
      PATH: process.env['PATH']!,
      IMAGE_ENHANCEMENT_URL: service.baseUrl,
      IMAGE_ENHANCEMENT_API_KEY: client.account.key,
    };
    folder = await mkdtemp(join(tmpdir(), 'ies-mcp-'));
    root = join(folder, 'pictures');
    await mkdir(root);
    await writeFile(join(root, 'photo.png'), await smallPhoto());
    await writeFile(join(root, 'busy.png'), await busyFile());
    await writeFile(join(folder, 'secret.png'), await smallPhoto());
    await symlink(join(folder, 'secret.png'), join(root, 'link.png'));
    await symlink(folder, join(root, 'out'));
    await writeFile(join(root, 'notes.txt'), 'not an image');
    agent = await overStdio([COMMAND_LINE, 'mcp', '--root', root], env);
  });
  afterAll(async () => {
    await agent?.close();
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (name: string, args: object, options: object = {}, by = agent) =>
    by.callTool({ name, arguments: args }, undefined, options);
  const jsonOf = ({ content }: Answer) => JSON.parse(content[0]!.text!) as Record<string, unknown>;
  const used = async () => (await client.usage()).enhancements.used;

  it('has tools with schemas', async () => {
    const { tools } = await agent.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'enhance_image',
      'create_batch',
      'get_status',
      'list_models',
      'list_presets',
    ]);
    expect(Object.keys(tools[0]!.inputSchema.properties)).toEqual(
      expect.arrayContaining(['image', 'saveTo']),
    );
  });

  it('returns an image and reports progress', async () => {
    const seen: { progress: number; message?: string }[] = [];
    const answer = await call(
      'enhance_image',
      { image: 'photo.png', operation: 'upscale', level: 'low' },
      { onprogress: (progress: { progress: number }) => seen.push(progress) },
    );
    expect(jsonOf(answer)).toMatchObject({ status: 'completed', result: { width: 96, height: 80 } });
    expect(answer.content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' });
    expect(Buffer.from(answer.content[1]!.data!, 'base64').toString('latin1', 1, 4)).toBe('PNG');
    expect(seen.at(0)).toMatchObject({ message: 'uploading' });
  });

  it('saves a result in the format of its path, and overwrites a file only on request', async () => {
    const args = { image: join(root, 'photo.png'), preset: 'portrait', saveTo: 'new/portrait.webp' };
    const answer = await call('enhance_image', args);
    expect(jsonOf(answer)).toMatchObject({ savedTo: join(root, 'new', 'portrait.webp') });
    expect((await readFile(join(root, 'new', 'portrait.webp'))).toString('latin1', 8, 12)).toBe('WEBP');
    const before = await used();
    expect(await call('enhance_image', args)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/exists/) }],
    });
    expect(await used()).toBe(before);
    expect((await call('enhance_image', { ...args, overwrite: true })).isError).toBeUndefined();
  });

  it('writes only one of two results to the same path', async () => {
    const args = { image: 'photo.png', preset: 'portrait', saveTo: 'same.png' };
    const answers = await Promise.all([call('enhance_image', args), call('enhance_image', args)]);
    const refused = answers.filter(({ isError }) => isError === true);
    expect(refused).toMatchObject([{ content: [{ text: expect.stringMatching(/exists/) }] }]);
    expect((await readFile(join(root, 'same.png'))).toString('latin1', 1, 4)).toBe('PNG');
  });

  it.each([
    ['a path outside', { image: '../secret.png' }],
    ['an absolute path outside', { image: '/etc/passwd' }],
    ['a path outside that does not exist', { image: '/nowhere/x.png' }],
    ['a link that leads outside', { image: 'link.png' }],
    ['a folder that leads outside', { image: 'out/secret.png' }],
    ['what is no image', { image: 'notes.txt' }],
    ['a result outside', { image: 'photo.png', saveTo: '../stolen.png' }],
    ['a result over a link', { image: 'photo.png', saveTo: 'link.png', overwrite: true }],
    ['a result in a folder that leads outside', { image: 'photo.png', saveTo: 'out/deep/x.png' }],
    ['a result that is no image', { image: 'photo.png', saveTo: 'x.sh' }],
  ])('refuses %s', async (_name, args) => {
    const before = await used();
    const answer = await call('enhance_image', args);
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/not allowed|must end in|exists/) }],
    });
    expect(await used()).toBe(before);
    expect((await readdir(folder)).toSorted()).toEqual(['pictures', 'secret.png']);
  });

  it.each([
    [{ image: 'photo.png', operation: 'paint' }, /operation/],
    [{ image: 'photo.png', level: 'extreme' }, /level/],
    [{ image: 'photo.png', preset: 'nobodys' }, /preset/i],
    [{ image: 'photo.png', color: 'red' }, /color is no argument/],
    [{}, /image is missing/],
    [{ image: 'missing.png' }, /no file missing\.png/],
    [{ image: 'https://10.0.0.1/x.png' }, /url/],
  ])('explains what is wrong with %j', async (args, reason) => {
    const answer = await call('enhance_image', args);
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(reason) }] });
  });

  it('creates a batch, follows it and saves its results', async () => {
    const batch = jsonOf(await call('create_batch', { images: ['photo.png', 'photo.png'] }));
    expect(batch).toMatchObject({ counts: { total: 2 }, operation: 'auto_enhance' });
    const args = { id: batch['id'], waitSeconds: 60, saveTo: 'batch' };
    const end = jsonOf(await call('get_status', args, { timeout: 90_000 }));
    expect(end).toMatchObject({ status: 'completed', counts: { completed: 2 } });
    expect(await readdir(join(root, 'batch'))).toHaveLength(2);
    expect(end['saved']).toHaveLength(2);
    const [edited] = end['saved'] as string[];
    await writeFile(edited!, 'edited');
    expect(jsonOf(await call('get_status', args))).toMatchObject({ saved: end['saved'] });
    expect(await readFile(edited!, 'utf8')).toBe('edited');
    const { data } = (await client.request('GET', `/api/ai/batches/${String(batch['id'])}/jobs`)).json as {
      data: { id: string }[];
    };
    const job = jsonOf(await call('get_status', { id: data[0]!.id }));
    expect(job).toMatchObject({
      id: data[0]!.id,
      status: 'completed',
      operations: [{ operation: 'auto_enhance' }],
    });
  });

  it('lists models and presets, and reports an unknown tool', async () => {
    expect(jsonOf(await call('list_models', {}))).toEqual(
      expect.arrayContaining([expect.objectContaining({ operation: 'upscale', model: expect.any(Object) })]),
    );
    expect(jsonOf(await call('list_presets', {}))).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'portrait', isBuiltIn: true })]),
    );
    expect(await call('no_such_tool', {})).toMatchObject({ isError: true });
  });

  it('cancels the job of a canceled call', async () => {
    const stop = new AbortController();
    const failed = call('enhance_image', { image: 'busy.png', ...BUSY_ORDER }, { signal: stop.signal });
    failed.catch(() => undefined);
    const id = await eventually('the job', async () => {
      const { json } = await client.request('GET', '/api/ai/enhance?status=processing');
      return { found: (json['data'] as { id: string }[])[0]?.id };
    });
    stop.abort();
    await expect(failed).rejects.toThrow(/abort/i);
    expect(await client.until(id, 'failed')).toMatchObject({ error: { code: 'canceled' } });
  });

  it('reads no files without a root', async () => {
    const other = await overStdio([COMMAND_LINE, 'mcp'], env);
    try {
      expect(await call('enhance_image', { image: join(root, 'photo.png') }, {}, other)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/start it with --root/) }],
      });
    } finally {
      await other.close();
    }
  });
});
