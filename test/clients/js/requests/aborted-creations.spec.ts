import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AbortedError, ImageEnhancement } from '../../../../clients/js/src/node.js';
import {
  scriptedJson as json,
  scriptedProblem as problem,
  type ScriptedReply,
  ScriptedService,
} from '../../../support/clients/scripted-service.js';

const silence: ScriptedReply = () => undefined;
const limited = problem(429, 'rate_limited', { 'retry-after': '30' });
const BATCH = 'POST /api/ai/batches';
const CANCEL = 'POST /api/ai/batches/bat_1/cancel';
const ORDER = { operation: 'upscale', sourceUrls: ['https://service/files/src_1.png'] } as const;

type Options = { readonly signal: AbortSignal };

describe('an aborted creation', () => {
  let service: ScriptedService;
  let client: ImageEnhancement;
  beforeAll(async () => {
    service = await ScriptedService.start();
    client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: 'ies_x' });
  });
  afterAll(() => service.close());

  /** The error of a call that is aborted once its first request has arrived. */
  const abortedBy = async (call: (options: Options) => Promise<unknown>, pauseMs = 0) => {
    const abort = new AbortController();
    const failed = call({ signal: abort.signal }).catch((thrown: unknown) => thrown);
    await service.saw(1);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    abort.abort(new Error('no longer wanted'));
    const error = (await failed) as AbortedError;
    expect(error).toBeInstanceOf(AbortedError);
    expect(error.cause).toBe(abort.signal.reason);
    return error;
  };

  it.each<[string, string, (options: Options) => Promise<unknown>]>([
    ['upload', '/api/ai/upload', (options) => client.upload(new Uint8Array(9), options)],
    ['batches.retry', '/api/ai/batches/bat_1/retry', (options) => client.batches.retry('bat_1', {}, options)],
    [
      'endpoints.create',
      '/api/webhooks/endpoints',
      (options) => client.webhooks.endpoints.create({ url: 'https://x.example/' }, options),
    ],
    [
      'endpoints.rotateSecret',
      '/api/webhooks/endpoints/we_1/rotate-secret',
      (options) => client.webhooks.endpoints.rotateSecret('we_1', {}, options),
    ],
  ])('reports the key of an unanswered %s, and none after a refusal', async (_name, path, call) => {
    service.script({ [`POST ${path}`]: [silence] });
    const error = await abortedBy(call);
    expect(error.idempotencyKey).toBe(service.seen[0]!.idempotencyKey);
    expect(error.idempotencyKey).toEqual(expect.any(String));
    service.script({ [`POST ${path}`]: [limited] });
    expect((await abortedBy(call, 200)).idempotencyKey).toBeNull();
    expect(service.seen).toHaveLength(1);
  });

  const createBatch = (options: Options) => client.batches.create(ORDER, options);

  it('of a batch cancels the batch', async () => {
    service.script({
      [BATCH]: [silence, json(201, { id: 'bat_1', skipped: [] })],
      [CANCEL]: [json(200, { id: 'bat_1', status: 'canceled' })],
    });
    expect(await abortedBy(createBatch)).toMatchObject({
      message: 'The call was aborted. The batch bat_1 was canceled.',
      idempotencyKey: null,
    });
    expect(service.seen.map(({ what }) => what)).toEqual([BATCH, BATCH, CANCEL]);
    expect(service.seen[1]!.idempotencyKey).toBe(service.seen[0]!.idempotencyKey);
  });

  it('of a batch reports its key when it is not known whether it exists, or cannot be canceled', async () => {
    service.script({ [BATCH]: [silence, limited] });
    expect(await abortedBy(createBatch)).toMatchObject({
      message: expect.stringMatching(/not known whether its batch was created/),
      idempotencyKey: service.seen[0]!.idempotencyKey,
    });
    service.script({ [BATCH]: [silence, json(201, { id: 'bat_1' })], [CANCEL]: [limited] });
    expect(await abortedBy(createBatch)).toMatchObject({
      message: 'The call was aborted. The batch bat_1 could not be canceled.',
      idempotencyKey: service.seen[0]!.idempotencyKey,
      jobId: null,
    });
  });
});
