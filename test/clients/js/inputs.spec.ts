import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ImageEnhancement } from '../../../clients/js/src/node.js';
import { signTestHeader, verifyWebhook } from '../../../clients/js/src/exports.js';

const listen = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Typical mistakes are rejected with a helpful message before anything is sent. */
describe('input to the client', () => {
  let baseUrl: string;
  let seen: string[];
  let answer = '{}';
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['x-api-key'] as string}`);
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(answer));
  });
  beforeAll(async () => {
    baseUrl = await listen(server);
  });
  beforeEach(() => {
    seen = [];
    answer = '{}';
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = (apiKey = 'ies_x') => new ImageEnhancement({ baseUrl, apiKey });

  it('may be a key with a trailing newline', async () => {
    await client('ies_x\n').usage();
    expect(seen).toEqual(['GET /api/usage ies_x']);
    expect(() => client('ies_„x“')).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
    expect(() => client(' ')).toThrow(expect.objectContaining({ code: 'missing_api_key' }));
  });

  it.each([
    ['options', undefined],
    ['an operation', {}],
    ['only one of operation and preset', { operation: 'upscale', preset: 'portrait' }],
    ['an object', 'upscale'],
    ['an object, not null', null],
  ])('needs %s to enhance an image', async (_, options) => {
    const refusal = {
      code: 'invalid_option',
      message: "Give exactly one of operation, operations, preset, such as { operation: 'upscale' }.",
    };
    const bytes = new Uint8Array(1);
    await expect(client().enhance(bytes, options as never)).rejects.toMatchObject(refusal);
    await expect(client().enhanceInOneRequest(bytes, options as never)).rejects.toMatchObject(refusal);
    expect(seen).toEqual([]);
  });

  it.each([
    ['', 'The path of the image is empty.'],
    [undefined, / the address of an upload, not undefined\.$/],
    [null, / the address of an upload, not null\.$/],
    [42, / the address of an upload, not a value of type number\.$/],
    ['no/such.jpg', 'no/such.jpg cannot be read: no such file or directory.'],
    ['.', '. cannot be read: illegal operation on a directory.'],
  ])('cannot be the image %j', async (image, text) => {
    const message = typeof text === 'string' ? text : expect.stringMatching(text);
    const refusal = { code: 'invalid_file', message };
    await expect(client().enhance(image as never, { operation: 'upscale' })).rejects.toMatchObject(refusal);
    await expect(client().upload(image as never)).rejects.toMatchObject(refusal);
    expect(seen).toEqual([]);
  });

  it.each([null, undefined])('cannot be the job %j, which an error without a job has', async (job) => {
    await expect(client().result(job as never)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringMatching(/^Give a job or its id\./),
    });
    expect(seen).toEqual([]);
  });

  it.each(['http://name:secret@host', 'https://host/?a=1', 'https://host/#x', 'host', 'file:///x'])(
    'cannot be the base URL %s',
    (address) => {
      const make = () => new ImageEnhancement({ baseUrl: address, apiKey: 'ies_x' });
      expect(make).toThrow(expect.objectContaining({ code: 'invalid_base_url' }));
      expect(make).not.toThrow(/secret/);
    },
  );

  it.each(['größe.jpg', 'a b', '', 'x'.repeat(256)])(
    'cannot be the idempotency key %s',
    async (idempotencyKey) => {
      const order = { sourceUrl: 'x', operation: 'upscale' } as const;
      await expect(client().jobs.create(order, { idempotencyKey })).rejects.toMatchObject({
        code: 'invalid_idempotency_key',
      });
      expect(seen).toEqual([]);
    },
  );

  it.each([null, undefined, 5, {}, () => 1, ['x']])('cannot be a file that is %j', async (file) => {
    const refused = { code: 'invalid_file' };
    await expect(client().upload(file as never)).rejects.toMatchObject(refused);
    await expect(client().enhance(file as never, { operation: 'upscale' })).rejects.toMatchObject(refused);
    expect(seen).toEqual([]);
  });

  it('cannot be a text stream', async () => {
    const stream = createReadStream(import.meta.filename, 'utf8');
    await expect(client().upload(stream as never)).rejects.toMatchObject({
      code: 'invalid_file',
      message: expect.stringMatching(/without an encoding/),
    });
  });

  it('may be an incoming HTTP request, whose url is not that of an upload', async () => {
    const outcome: Promise<unknown>[] = [];
    const front = createServer((request: IncomingMessage, response) => {
      const call = client().enhance(request, { operation: 'upscale', timeoutMs: 5_000 });
      outcome.push(call.catch((error: unknown) => error));
      void outcome[0]!.then(() => response.end());
    });
    const frontUrl = await listen(front);
    answer = '{"url":"https://service/files/src_1.png","id":"job_1","status":"completed"}';
    await fetch(`${frontUrl}/pictures`, { method: 'POST', body: 'an image' });
    front.close();
    expect(seen.slice(0, 2)).toEqual(['POST /api/ai/upload ies_x', 'POST /api/ai/enhance ies_x']);
  });

  it('may be a timeout longer than any timer supports', async () => {
    for (const timeoutMs of [2 ** 31, Number.MAX_SAFE_INTEGER, Infinity]) {
      await expect(client().usage({ timeoutMs })).resolves.toEqual({});
    }
  });

  it('cannot be the URL of a server that responds with HTML', async () => {
    answer = '<html>Welcome</html>';
    const lost = new ImageEnhancement({ baseUrl, apiKey: 'ies_x', maxRetries: 0 });
    await expect(lost.usage()).rejects.toMatchObject({
      name: 'ConnectionError',
      message: `${baseUrl} answered with what is no JSON.`,
    });
  });

  it.each(['null', '[]', '5', '{}', '{"id":1,"type":"ping","data":{}}', '{"id":"evt_1","type":"ping"}'])(
    'cannot be a webhook body that is signed but not an event: %s',
    async (body) => {
      const header = await signTestHeader(body, 'whsec_x');
      await expect(verifyWebhook(body, header, 'whsec_x')).rejects.toMatchObject({ code: 'malformed_body' });
    },
  );
});
