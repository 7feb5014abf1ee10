import { rm, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../../clients/js/src/node.js';
import { FolderRuns } from '../../../support/clients/folder-runs.js';
import { InstalledClient } from '../../../support/clients/installed-client.js';
import { type Agent, COMMAND_LINE, overStdio } from '../../../support/clients/mcp-agent.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
} from '../../../support/clients/scripted-service.js';
import { smallPhoto } from '../../../support/images/client-picture.js';
import { pngOf, readPicture } from '../../../support/images/flow-picture.js';
import { SharedService } from '../../../support/roles/shared-service.js';

const OPERATIONS = [{ operation: 'auto_enhance' }] as const;

/** Some options of the output come from the preset, others from flags, arguments, or the name of a file. */
describe('the output of a preset', () => {
  let service: SharedService;
  let installed: InstalledClient;
  let client: ImageEnhancement;
  let env: Record<string, string>;
  beforeAll(async () => {
    installed = await InstalledClient.create();
    service = await SharedService.join();
    const { key } = (await service.client()).account;
    client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: key });
    env = {
      PATH: process.env['PATH']!,
      IMAGE_ENHANCEMENT_URL: service.baseUrl,
      IMAGE_ENHANCEMENT_API_KEY: key,
    };
    const output = { format: 'webp', quality: 92, background: '#112233', metadata: 'keep' } as const;
    await client.presets.save('framed', { operations: [...OPERATIONS], output });
    await client.presets.save('plain', { operations: [...OPERATIONS] });
    await client.presets.save('shadowed', {
      operations: [...OPERATIONS],
      output: { ...output, format: 'jpeg', shadow: true },
    });
    await client.presets.save('mask', {
      operations: [...OPERATIONS],
      output: { kind: 'mask', format: 'webp' },
    });
    const photo = await readPicture(Buffer.from(await smallPhoto()));
    await installed.write('a.png', await pngOf(photo));
    photo.data.forEach((_value, at, data) => void ((at & 3) === 3 && at < 4000 && (data[at] = 0)));
    await installed.write('cutout.png', await pngOf(photo));
  });
  afterAll(async () => {
    await service?.close();
    await installed?.close();
  });

  const framed = { format: 'webp', quality: 92, background: '#112233', metadata: 'keep' };
  const outputOf = async (args: readonly string[]) => {
    const bin = installed.path('node_modules', '.bin', 'image-enhancement-client');
    const { stdout, stderr } = await installed.run([bin, 'enhance', ...args, '--json'], env);
    const { job } = JSON.parse(stdout) as { readonly job?: { readonly output: object } };
    expect(job, `${stdout}${stderr}`).toBeDefined();
    return job!.output;
  };
  const cases: [string[], object][] = [
    [['--preset', 'framed', '-o', 'named.jpg'], { ...framed, format: 'jpeg' }],
    [['--preset', 'framed', '-o', 'quality/', '--quality', '50'], { ...framed, quality: 50 }],
    [['--preset', 'framed', '-o', 'untouched/'], framed],
    [['--preset', 'plain', '-o', 'plain.jpg'], { format: 'jpeg', quality: null, background: null }],
  ];
  it.each(cases)('remains on the command line but for what %j say', async (args, expected) => {
    expect(await outputOf(['a.png', ...args])).toMatchObject(expected);
  });

  const matte = { format: 'png', quality: null, background: null, kind: 'mask', metadata: 'keep' };
  const contradictions: [string[], object][] = [
    [['--preset', 'shadowed', '--kind', 'mask', '-o', 'matte/'], matte],
    [
      ['--preset', 'shadowed', '--kind', 'edges', '-o', 'edges.webp'],
      { ...matte, format: 'webp', kind: 'edges' },
    ],
    [
      ['--preset', 'shadowed', '--kind', 'image', '--quality', '50', '-o', 'image/'],
      { ...framed, format: 'jpeg', quality: 50, shadow: expect.any(Object) },
    ],
    [['--preset', 'mask', '--quality', '50', '-o', 'mask/'], { format: 'webp', kind: 'mask', quality: 50 }],
    [
      ['--preset', 'mask', '--background', '#445566', '-o', 'picture/'],
      { format: 'webp', quality: null, background: '#445566' },
    ],
  ];
  it.each(contradictions)('loses on the command line what contradicts %j', async (args, expected) => {
    const output = await outputOf(['cutout.png', ...args]);
    expect(output).toMatchObject(expected);
    const fieldsOf = (of: object) => ['kind', 'shadow'].filter((name) => name in of);
    expect(fieldsOf(output)).toEqual(fieldsOf(expected));
  });

  describe('in the tools of MCP', () => {
    let agent: Agent;
    beforeAll(async () => {
      agent = await overStdio([COMMAND_LINE, 'mcp', '--root', installed.path()], env);
    });
    afterAll(() => agent?.close());

    const call = async (name: string, args: object) => {
      const { content } = await agent.callTool({ name, arguments: args });
      return JSON.parse(content[0]!.text!) as { readonly id: string };
    };

    it.each([
      [{ saveTo: 'tool.jpg' }, { ...framed, format: 'jpeg' }],
      [{ output: { quality: 50 } }, { ...framed, quality: 50 }],
      [
        { saveTo: 'tool.png', output: { background: '#445566' } },
        { ...framed, format: 'png', background: '#445566' },
      ],
    ])('remains but for what %j says', async (args, expected) => {
      const { id } = await call('enhance_image', { image: 'a.png', preset: 'framed', ...args });
      expect(await client.jobs.get(id)).toMatchObject({ output: expected });
    });

    it.each([
      ['shadowed', { kind: 'mask' }, matte],
      ['mask', { kind: 'edges', format: 'png' }, { format: 'png', kind: 'edges' }],
      ['mask', { background: null }, { format: 'webp', kind: 'mask' }],
    ])('loses of %s what contradicts %j', async (preset, output, expected) => {
      const { id } = await call('enhance_image', { image: 'cutout.png', preset, output });
      expect(await client.jobs.get(id)).toMatchObject({ output: expected });
    });

    it('remains but for what the output of a batch says', async () => {
      const args = { images: ['a.png'], preset: 'framed', output: { format: 'png' } };
      const { id } = await call('create_batch', args);
      const [job] = await client.batches.items(id).all();
      expect(job).toMatchObject({ output: { ...framed, format: 'png' } });
    });

    it.each(['png', ['png']])('is not replaced by %j, which is no output', async (output) => {
      const answer = await agent.callTool({
        name: 'enhance_image',
        arguments: { image: 'a.png', preset: 'framed', output },
      });
      expect(answer).toMatchObject({ isError: true, content: [{ text: 'output must be an object.' }] });
    });
  });

  describe('in a folder run', () => {
    let runs: FolderRuns;
    let args: string[];
    beforeEach(async () => {
      runs = await FolderRuns.start();
      await runs.addPhotos('photos', 'a.jpg', 'b.jpg');
      args = [runs.path('photos'), '--out', runs.path('done'), '--preset', 'mine'];
    });
    afterEach(() => runs.close());

    const preset = (output: object) => ({
      'GET /api/ai/presets/mine': [json(200, { name: 'mine', output })],
    });
    const outputs = () =>
      runs.service.seen
        .filter(({ what }) => what === 'POST /api/ai/batches')
        .map(({ body }) => (JSON.parse(body) as { output?: object }).output);

    it('is that of each new batch, and remains in repeated requests', async () => {
      const options = [...args, '--quality', '50'];
      const create = { 'POST /api/ai/batches': [problem(503, 'service_unavailable')] };
      runs.script({ ...preset({ format: 'webp', quality: 92, metadata: 'keep' }), ...create });
      expect(await runs.run(options)).toMatchObject({ error: { code: 'service_unavailable' } });
      const first = runs.service.seen.at(-1);
      runs.script(preset({ format: 'png' }));
      expect(await runs.run(options)).toMatchObject({ code: 0 });
      expect(runs.service.seen[0]).toEqual(first);
      expect(outputs()).toEqual([{ format: 'webp', quality: 50, metadata: 'keep' }]);
      await runs.addPhotos('photos', 'c.jpg');
      runs.script({ ...preset({ format: 'png' }), 'POST /api/ai/batches': [runs.creation('bat_2')] }, [2, 1]);
      expect(await runs.run(options)).toMatchObject({ code: 0 });
      expect(outputs()).toEqual([{ format: 'png', quality: 50 }]);
    });

    it('is left to the service without options', async () => {
      runs.script();
      expect(await runs.run(args)).toMatchObject({ code: 0 });
      expect(outputs()).toEqual([undefined]);
      expect(runs.service.seen.map(({ what }) => what)).not.toContain('GET /api/ai/presets/mine');
    });

    it('is missing when there is no such preset, which keeps no result of an earlier batch', async () => {
      const options = [...args, '--format', 'webp'];
      runs.script({ ...preset({}), 'GET /api/ai/batches/bat_1': [problem(401, 'unauthenticated')] });
      expect(await runs.run(options)).toMatchObject({ error: { code: 'unauthenticated' } });
      await runs.addPhotos('photos', 'c.jpg');
      await rm(runs.path('photos/b.jpg'));
      runs.script({ 'GET /api/ai/presets/mine': [problem(404, 'preset_not_found')] });
      expect(await runs.run(options)).toMatchObject({ error: { code: 'preset_not_found' } });
      expect(outputs()).toEqual([]);
      expect(await runs.results('done')).toHaveLength(2);
    });

    it('keeps its background picture, and the one of a flag is used instead', async () => {
      const own = { background: { sourceUrl: 'https://ies.test/own' }, quality: 92 };
      runs.script(preset(own));
      expect(await runs.run([...args, '--format', 'png'])).toMatchObject({ code: 0 });
      expect(outputs()).toEqual([{ ...own, format: 'png' }]);
      await writeFile(runs.path('bg.png'), 'blue');
      runs.script({ ...preset(own), 'POST /api/ai/upload': [json(201, { url: 'https://ies.test/bg' })] });
      expect(await runs.run([...args, '--background', runs.path('bg.png'), '--force'])).toMatchObject({
        code: 0,
      });
      expect(outputs()).toEqual([{ quality: 92, background: { sourceUrl: 'https://ies.test/bg' } }]);
    });
  });
});
