import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transport } from '../../../../clients/js/src/http/transport.js';
import { ImageEnhancement, TimeoutError } from '../../../../clients/js/src/node.js';
import type { ClientOptions } from '../../../../clients/js/src/options.js';
import { NODE_PLATFORM } from '../../../../clients/js/src/platform/node.js';
import { scriptedJson as json, ScriptedService } from '../../../support/clients/scripted-service.js';

const IMAGE = new Uint8Array(9);
const UPLOAD = 'POST /api/ai/upload';
const RESULT = 'GET /files/job_1.png?exp=1&sig=2';

describe('the timeout of a request that sends or reads a file', () => {
  let service: ScriptedService;
  beforeAll(async () => {
    service = await ScriptedService.start();
    const silence = () => undefined;
    service.script({
      [UPLOAD]: [silence],
      [RESULT]: [silence],
      'POST /api/ai/enhance': [silence],
      'GET /api/ai/enhance/job_1': [
        json(200, { status: 'completed', resultUrl: `${service.baseUrl}/files/job_1.png?exp=1&sig=2` }),
      ],
    });
  });
  afterAll(() => service.close());

  it.each<[string, (client: ImageEnhancement) => Promise<unknown>]>([
    ['an upload', (client) => client.upload(IMAGE, { timeoutMs: undefined })],
    ['the input of an upload', (client) => client.upload(new ReadableStream())],
    ['a download', async (client) => (await client.result('job_1')).bytes()],
    ['enhanceInOneRequest', (client) => client.enhanceInOneRequest(IMAGE, { operation: 'upscale' })],
  ])('is that of the client for %s', async (_name, call) => {
    const client = new ImageEnhancement({
      baseUrl: service.baseUrl,
      apiKey: 'ies_x',
      timeoutMs: 200,
      maxRetries: 0,
    });
    const error = await call(client).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TimeoutError);
    expect((error as Error).message).toMatch(/within 0\.2 s\.$/);
  });

  it.each<[number, ClientOptions, { readonly timeoutMs?: number | undefined }]>([
    [300_000, {}, {}],
    [300_000, {}, { timeoutMs: undefined }],
    [1_000, { timeoutMs: 1_000 }, { timeoutMs: undefined }],
    [2_000, { timeoutMs: 1_000 }, { timeoutMs: 2_000 }],
  ])('is %i ms for a client with %j and a call with %j', (timeoutMs, options, call) => {
    const transport = new Transport({ ...options, apiKey: 'ies_x', baseUrl: service.baseUrl }, NODE_PLATFORM);
    expect(transport.forFile(call)).toMatchObject({ timeoutMs });
  });
});
