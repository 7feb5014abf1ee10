import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { signTestHeader, verifyWebhook } from '../../../../clients/js/src/exports.js';

const PAGE = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
const SECRET = 'whsec_x';
/** Spaces and an escape that are lost when the body is parsed and serialized again. */
const BODY = String.raw`{ "id":"evt_1","type":"ping","createdAt":"2026-11-21T08:00:00.000Z","data":{"a":"\u00e9 é"} }`;

/** The page says how frameworks give the raw body. Express has an example of its own. */
describe('the raw body that docs/webhooks.md names is the one that was signed', () => {
  it('in Fastify', async () => {
    const app = fastify();
    app.get('/other', () => 'fine');
    void app.register((scope) => {
      const keep = async (_request: unknown, body: Buffer) => body;
      scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, keep);
      scope.post('/webhooks', async (request, reply) => {
        const header = request.headers['x-service-signature'];
        const event = await verifyWebhook(request.body as Buffer, header, SECRET);
        return reply.send(event.id);
      });
      return Promise.resolve();
    });
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': await signTestHeader(BODY, SECRET),
    };
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/webhooks',
      headers,
      payload: BODY,
    });
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: 'evt_1' });
    await app.close();
    expect(PAGE).toContain("app.addContentTypeParser('application/json', { parseAs: 'buffer' }, keep);");
    expect(PAGE).toContain('const keep = async (_request: unknown, body: Buffer) => body;');
  });

  it('in handlers that get a Request', async () => {
    const headers = { 'x-service-signature': await signTestHeader(BODY, SECRET) };
    const request = new Request('https://receiver.example/webhooks', { method: 'POST', headers, body: BODY });
    const header = request.headers.get('x-service-signature');
    expect((await verifyWebhook(await request.text(), header, SECRET)).id).toBe('evt_1');
    expect(PAGE).toContain('`await request.text()`');
  });
});
