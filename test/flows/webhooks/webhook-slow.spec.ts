import { createServer as createTlsServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOCALHOST_CERTIFICATE } from '../../../src/infra/net/testing/localhost-certificate.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { type AnswerRequest, neverAnswer, WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

/** Sends its headers, then one byte a second. */
const trickle: AnswerRequest = (_request, response) => {
  response.writeHead(200, { 'content-length': '100000' });
  const timer = setInterval(() => response.write('.'), 1_000);
  response.once('close', () => clearInterval(timer));
};

/** Takes one second for each byte of its status line. */
const slowHeaders: AnswerRequest = (_request, response) => {
  const { socket } = response;
  const text = 'HTTP/1.1 200 OK\r\n'.split('');
  const timer = setInterval(() => socket?.write(text.shift() ?? 'x'), 1_000);
  response.once('close', () => clearInterval(timer));
};

/** A gigabyte, as fast as the client reads it. */
const endless: AnswerRequest = (_request, response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(1 << 20, 'x');
  let left = 1024;
  const pour = (): void => {
    while (left > 0) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', pour);
    }
    response.end();
  };
  pour();
};

describe('misbehaving receivers', () => {
  let service: FlowService;
  let receiver: WebhookReceiver;
  let webhooks: FlowWebhooks;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    // Few slots, but room for every endpoint at this host; and a timeout longer than the whole test, so a slot in use stays
    // in use.
    const env = {
      ...WEBHOOK_ENV,
      WEBHOOK_TIMEOUT_MS: '60000',
      WEBHOOK_CONCURRENCY: '4',
      WEBHOOK_ENDPOINT_CONCURRENCY: '16',
    };
    service = await FlowService.start({ roles: ['api', 'dispatcher'], env });
    webhooks = await FlowWebhooks.of(service);
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
  });

  it('use one slot each, and never delay an endpoint that responds', async () => {
    const hanging = ['/never/1', '/never/2', '/never/3', '/never/4', '/never/5', '/headers/1', '/headers/2'];
    for (const path of hanging)
      receiver.answers.set(path, path.startsWith('/never') ? neverAnswer : slowHeaders);
    const others = await FlowWebhooks.of(service);
    const ids = await Promise.all(
      hanging.map(async (path) => (await others.register(receiver.url(path))).id),
    );
    await webhooks.register(receiver.url('/good'));
    await others.emit(20);
    await eventually('every hanging receiver to have been tried', () => {
      const seen = hanging.filter((path) => receiver.at(path).length > 0);
      return seen.length === hanging.length ? { found: true } : { seen };
    });
    const sent = await webhooks.emit(200);
    await eventually('all to reach the endpoint that answers', () => {
      const seen = receiver.at('/good').length;
      return seen >= sent.length ? { found: true } : { seen };
    });
    // Meanwhile, each of the others still has one unfinished attempt.
    for (const id of ids) {
      const deliveries = await others.deliveries(`endpointId=${id}`);
      expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual(Array.from({ length: 20 }, () => 0));
    }
    for (const path of hanging) expect(receiver.at(path), path).toHaveLength(1);
    await service.database.rows('DELETE FROM webhook_endpoints');
  });

  it('count as successful by their status, however long the body takes', async () => {
    for (const [path, answer] of [
      ['/trickle', trickle],
      ['/endless', endless],
    ] as const) {
      receiver.answers.set(path, answer);
      const { id } = await webhooks.register(receiver.url(path), ['ping']);
      const delivery = await webhooks.until((await webhooks.ping(id)).id, 'succeeded');
      const [attempt] = delivery.attempts;
      expect(attempt!.responseStatus).toBe(200);
      expect(Buffer.byteLength(attempt!.responseBody!)).toBeLessThanOrEqual(4_096);
      expect(attempt!.durationMs).toBeLessThan(20_000);
    }
  });

  it('get an error that explains what is wrong with their TLS, protocol or host name', async () => {
    const tls = createTlsServer(LOCALHOST_CERTIFICATE, (_request, response) => response.end());
    await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve));
    const { port } = tls.address() as { port: number };
    const plainPort = new URL(receiver.url('/')).port;
    const cases = [
      [`https://127.0.0.1:${port}/`, /TLS connection/],
      [`https://127.0.0.1:${plainPort}/`, /TLS connection|request failed/],
      ['https://no-such-host.invalid/', /host name|has no address|not be resolved/i],
    ] as const;
    for (const [url, text] of cases) {
      const { id } = await webhooks.register(url, ['ping']);
      const { id: deliveryId } = await webhooks.ping(id);
      const delivery = await eventually(`an attempt at ${url}`, async () => {
        const seen = await webhooks.delivery(deliveryId);
        return seen.attemptCount > 0 ? { found: seen } : { seen };
      });
      expect(delivery.attempts[0]).toMatchObject({ responseStatus: null, responseBody: null });
      expect(delivery.attempts[0]!.error).toMatch(text);
      expect(delivery.attempts[0]!.error).toMatch(/\.$/);
    }
    tls.close();
    tls.closeAllConnections();
  });
});
