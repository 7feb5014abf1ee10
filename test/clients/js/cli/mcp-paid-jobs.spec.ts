import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureClientBuild } from '../../../support/clients/client-build.js';
import { type Agent, type Answer, COMMAND_LINE, overStdio } from '../../../support/clients/mcp-agent.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
  ScriptedService,
} from '../../../support/clients/scripted-service.js';
import { smallPhoto } from '../../../support/images/client-picture.js';
import { SharedService } from '../../../support/roles/shared-service.js';

const UPLOAD = 'POST /api/ai/upload';
const CREATE = 'POST /api/ai/enhance';
const BATCH = 'POST /api/ai/batches';
const JOB = 'GET /api/ai/enhance/job_1';
const EVENTS = `${JOB}/events`;
const CONTENT = 'a result';
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const RESULT = 'GET /files/job_1.png?sig=1';

const lostAnswer: ScriptedReply = (request) => void request.socket.destroy();

/** Without the job or the key, an agent could only repeat its call, and pay again. */
describe('errors of the tools of MCP', () => {
  let root: string;
  beforeAll(async () => {
    await ensureClientBuild();
    root = await mkdtemp(join(tmpdir(), 'ies-mcp-'));
    await writeFile(join(root, 'photo.png'), await smallPhoto());
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const start = (url: string, key: string) =>
    overStdio([COMMAND_LINE, 'mcp', '--root', root], {
      PATH: process.env['PATH']!,
      IMAGE_ENHANCEMENT_URL: url,
      IMAGE_ENHANCEMENT_API_KEY: key,
    });
  const call = (agent: Agent, name: string, args: object) => agent.callTool({ name, arguments: args });
  const textOf = ({ content }: Answer) => content[0]!.text!;

  describe('of a service that fails', () => {
    let service: ScriptedService;
    let agent: Agent;
    let job: object;
    beforeEach(async () => {
      service = await ScriptedService.start();
      agent = await start(service.baseUrl, 'ies_x');
      job = {
        id: 'job_1',
        status: 'completed',
        operations: [],
        result: { format: 'png', width: 1, height: 1, bytes: 8, sha256: SHA256 },
        resultUrl: `${service.baseUrl}/files/job_1.png?sig=1`,
      };
    });
    afterEach(async () => {
      await agent.close();
      service.close();
    });

    const script = (own: Parameters<ScriptedService['script']>[0]) =>
      service.script({
        [UPLOAD]: [json(201, { url: `${service.baseUrl}/files/src_1.png` })],
        [CREATE]: [json(201, job)],
        [EVENTS]: [problem(404, 'not_found')],
        [JOB]: [json(200, job)],
        ...own,
      });
    const goesOn = /\(job job_1\)\nThe job is not lost: get_status continues with the id job_1\.$/;

    const toRead = [{}, { saveTo: 'new.png' }, { saveTo: 'photo.png', overwrite: true }];
    it.each(toRead)('name the job of a result that cannot be read with %j', async (args) => {
      // What a proxy says proves nothing.
      for (const refusal of [problem(400, 'invalid_request'), json(404, {})]) {
        script({ [RESULT]: [refusal] });
        const answer = await call(agent, 'enhance_image', { image: 'photo.png', ...args });
        expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(goesOn) }] });
      }
    });

    it.each(toRead)('do not say that a deleted result can be read with %j', async (args) => {
      for (const lost of [problem(410, 'gone'), problem(404, 'not_found')]) {
        script({ [RESULT]: [lost] });
        const answer = await call(agent, 'enhance_image', { image: 'photo.png', ...args });
        expect(answer).toMatchObject({
          isError: true,
          content: [{ text: expect.stringMatching(/^about \w+ \(request req_1\) \(job job_1\)$/) }],
        });
      }
    });

    it('name the job of a result that cannot be written', async () => {
      const isRemoved: ScriptedReply = (_request, response) => {
        rmSync(join(root, 'removed'), { recursive: true, force: true });
        response.end(CONTENT);
      };
      script({ [RESULT]: [isRemoved] });
      const text = textOf(
        await call(agent, 'enhance_image', { image: 'photo.png', saveTo: 'removed/x.png' }),
      );
      expect(text).toMatch(/cannot be written/);
      expect(text).toMatch(goesOn);
    });

    it('name a job that cannot be followed', async () => {
      const refused = problem(401, 'unauthenticated');
      script({ [EVENTS]: [refused], [JOB]: [refused] });
      expect(textOf(await call(agent, 'enhance_image', { image: 'photo.png' }))).toMatch(goesOn);
      const known = textOf(await call(agent, 'get_status', { id: 'job_1', waitSeconds: 5 }));
      expect(known).toMatch(/^about unauthenticated/);
      expect(known).not.toMatch(/not lost/);
    });

    it.each([
      ['enhance_image', CREATE, { image: 'photo.png' }, 1],
      ['create_batch', BATCH, { images: ['photo.png', 'photo.png'] }, 2],
    ])('let %s be repeated with the key of its first call', async (name, creation, args, uploads) => {
      // The refusal says nothing about the attempt before, whose answer was lost.
      const answers = [lostAnswer, problem(401, 'unauthenticated')];
      script({ [creation]: answers });
      const keysOf = (what: string) =>
        service.seen
          .flatMap((request) => (request.what === what ? [request.idempotencyKey!] : []))
          .toSorted();
      const text = textOf(await call(agent, name, args));
      const [, idempotencyKey] = /with the idempotencyKey (\S+) is charged only once\.$/.exec(text)!;
      const first = keysOf(UPLOAD);
      const twice = [idempotencyKey, idempotencyKey];
      expect([new Set(first).size, keysOf(creation)]).toEqual([uploads, twice]);
      script({ [creation]: [problem(401, 'unauthenticated')] });
      const again = textOf(await call(agent, name, { ...args, idempotencyKey }));
      expect(again).toMatch(/with the idempotencyKey \S+ is charged only once\.$/);
      expect([keysOf(UPLOAD), keysOf(creation)]).toEqual([first, [idempotencyKey]]);
    });

    const calls: [string, string, object][] = [
      ['enhance_image', CREATE, { image: 'photo.png' }],
      ['create_batch', BATCH, { images: ['photo.png'] }],
    ];
    it.each(calls)('of %s give no key when the only attempt was refused', async (name, creation, args) => {
      for (const [what, refusal] of [
        [UPLOAD, problem(401, 'unauthenticated')],
        [creation, problem(401, 'unauthenticated')],
        [creation, problem(403, 'insufficient_scope')],
      ] as const) {
        script({ [what]: [refusal] });
        expect(textOf(await call(agent, name, args))).toMatch(/^about \w+ \(request req_1\)$/);
      }
    });

    it.each(calls)('of %s give no key when no connection was made', async (name, _creation, args) => {
      // A request on a kept connection might have arrived.
      const headers = { connection: 'close' };
      const source = json(201, { url: `${service.baseUrl}/files/src_1.png` }, headers);
      const last: ScriptedReply = (request, response) => {
        response.on('finish', () => service.close());
        source(request, response);
      };
      script({ [UPLOAD]: [last] });
      const text = textOf(await call(agent, name, args));
      expect(service.seen.map(({ what }) => what)).toEqual([UPLOAD]);
      expect(text).toMatch(/ECONNREFUSED/);
      expect(text).not.toMatch(/created/);
    });

    it.each([problem(400, 'invalid_request'), problem(422, 'idempotency_mismatch')])(
      'give no key when nothing was created, or something else %#',
      async (refusal) => {
        script({ [CREATE]: [refusal], [BATCH]: [refusal] });
        for (const [name, args] of [
          ['enhance_image', { image: 'photo.png' }],
          ['create_batch', { images: ['photo.png'], idempotencyKey: 'mine' }],
        ] as const) {
          const [first, ...hints] = textOf(await call(agent, name, args)).split('\n');
          expect(first).toMatch(/^about \w+ \(request req_1\)$/);
          expect(hints.join()).not.toMatch(/may have been created|charged only once/);
        }
      },
    );

    it.each(calls)('of %s say what to do with a key of another call', async (name, creation, args) => {
      script({ [creation]: [problem(422, 'idempotency_mismatch')] });
      const textFor = async (more: object) => textOf(await call(agent, name, { ...args, ...more }));
      expect(await textFor({ idempotencyKey: 'one' })).toMatch(
        /other arguments or other files\. Nothing was created .*dashboard\..* without idempotencyKey.*charged\.$/,
      );
      expect(await textFor({ idempotencyKey: 'one', preset: 'mine' })).toMatch(/preset mine was changed/);
      expect(await textFor({})).toBe('about idempotency_mismatch (request req_1)');
    });

    it.each(['enhance_image', 'create_batch'])('of %s explain a bad key', async (name) => {
      const image = name === 'create_batch' ? { images: ['photo.png'] } : { image: 'photo.png' };
      const answer = await call(agent, name, { ...image, idempotencyKey: 'two words' });
      expect(textOf(answer)).toMatch(/An idempotency key has 1 to 255/);
      expect(service.seen).toEqual([]);
    });

    it.each(calls)(
      'of %s explain that a call is repeated with the same preset',
      async (name, _what, args) => {
        script({ 'GET /api/ai/presets/mine': [problem(404, 'preset_not_found')] });
        const order = { ...args, preset: 'mine', output: { quality: 80 } };
        expect(textOf(await call(agent, name, order))).toBe('about preset_not_found (request req_1)');
        const repeated = textOf(await call(agent, name, { ...order, idempotencyKey: 'one' }));
        expect(repeated).toMatch(
          /^There is no preset mine, .*needs the same preset, unchanged\..*dashboard\.$/,
        );
        expect(service.seen.map(({ what }) => what)).not.toContain(UPLOAD);
      },
    );
  });

  it('are followed by calls that are charged once', async () => {
    const service = await SharedService.join();
    const client = await service.client();
    const agent = await start(service.baseUrl, client.account.key);
    try {
      const idOf = async (name: string, args: object) =>
        (JSON.parse(textOf(await call(agent, name, args))) as { id: string }).id;
      const one = { image: 'photo.png', idempotencyKey: 'one' };
      expect(await idOf('enhance_image', one)).toBe(await idOf('enhance_image', one));
      const many = { images: ['photo.png', 'photo.png'], idempotencyKey: 'many' };
      expect(await idOf('create_batch', many)).toBe(await idOf('create_batch', many));
      expect((await client.usage()).enhancements.used).toBe(3);
    } finally {
      await agent.close();
      await service.close();
    }
  });
});
