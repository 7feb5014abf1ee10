import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../../clients/js/src/cli/arguments.js';
import { enhanceCommand } from '../../../../clients/js/src/cli/enhance-command.js';
import type { Streams } from '../../../../clients/js/src/cli/reporter.js';
import { ImageEnhancement } from '../../../../clients/js/src/node.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  ScriptedService,
} from '../../../support/clients/scripted-service.js';

const PRESET = 'GET /api/ai/presets/mine';
const UPLOAD = 'POST /api/ai/upload';
const CREATE = 'POST /api/ai/enhance';

/** The output of all images depends on requests that may fail once, for example during a restart of the service. */
describe('the output that images share', () => {
  let service: ScriptedService;
  let root: string;
  beforeEach(async () => {
    service = await ScriptedService.start();
    root = await mkdtemp(join(tmpdir(), 'ies-shared-'));
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg', 'bg.png']) await writeFile(join(root, name), name);
  });
  afterEach(async () => {
    service.close();
    await rm(root, { recursive: true, force: true });
  });

  /** Enhances three images one by one, each of which is refused once its job is to be created. */
  const run = async (flags: readonly string[]) => {
    const images = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => join(root, name));
    const line = readCommandLine(['enhance', ...images, ...flags, '--concurrency', '1', '--quiet']);
    const client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x', maxRetries: 0 });
    const stream = new PassThrough();
    const streams = { stdin: stream, stdout: stream, stderr: stream } as unknown as Streams;
    expect(await enhanceCommand(client, line, streams, new AbortController().signal)).not.toBe(0);
    return service.seen.map(({ what }) => what);
  };
  const source = json(201, { url: 'https://ies.test/src' });
  const refused = problem(400, 'invalid_request');

  it('is read again for the next image when the preset could not be read', async () => {
    const preset = json(200, { name: 'mine', output: { metadata: 'keep' } });
    service.script({
      [PRESET]: [problem(503, 'service_unavailable'), preset],
      [UPLOAD]: [source],
      [CREATE]: [refused],
    });
    const seen = await run(['--preset', 'mine', '--quality', '80']);
    expect(seen).toEqual([PRESET, PRESET, UPLOAD, CREATE, UPLOAD, CREATE]);
    const { output } = JSON.parse(service.seen.at(-1)!.body) as { readonly output: object };
    expect(output).toEqual({ metadata: 'keep', quality: 80 });
  });

  it('is not read again when there is no such preset', async () => {
    service.script({ [PRESET]: [problem(404, 'preset_not_found')] });
    expect(await run(['--preset', 'mine', '--quality', '80'])).toEqual([PRESET]);
  });

  it('has the background picture that a later image could upload', async () => {
    service.script({
      [UPLOAD]: [problem(503, 'service_unavailable'), source],
      [CREATE]: [refused],
    });
    const seen = await run(['--background', join(root, 'bg.png')]);
    expect(seen).toEqual([UPLOAD, UPLOAD, UPLOAD, CREATE, UPLOAD, CREATE]);
  });
});
