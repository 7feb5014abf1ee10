import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/env.js';
import { createOutboundAgent } from '../../infra/net/outbound-agent.js';
import { SecretBox } from '../../infra/sealing/secret-box.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { ClaimedDelivery } from './claimed-delivery.js';
import { NotAttempted, WebhookSender } from './webhook-sender.js';

const TIMEOUT_MS = 200;
/** For all other specs: a busy machine may take longer than the timeout to respond. */
const PATIENT_MS = 10_000;
const LOCAL = { allowHttp: true, allowNetworks: ['127.0.0.0/8'], connectTimeoutMs: PATIENT_MS };
const NEVER_STOPPED = new AbortController().signal;

let server: Server;
let asked: IncomingMessage[];
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request);
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const secrets = new EndpointSecrets(new SecretBox('a sealing key that only this test knows'));

function sender(rules: Partial<typeof LOCAL> = {}, timeoutMs = PATIENT_MS): WebhookSender {
  const config = readConfig({ WEBHOOK_TIMEOUT_MS: String(timeoutMs) });
  return new WebhookSender(createOutboundAgent({ ...LOCAL, ...rules }), secrets, config);
}

function delivery(leaseMs = 60_000): ClaimedDelivery {
  const endpointId = 'we_1';
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const destination = {
    endpointId,
    url,
    endpointUrl: url,
    isCallback: false,
    sealedSecret: secrets.make(endpointId),
    previousSecrets: [],
  };
  const event = { id: 'evt_1', type: 'ping', createdAt: new Date(0), livemode: true, data: {} } as const;
  return new ClaimedDelivery(
    { id: 'dlv_1', claim: 1, step: 0, event, destination, traceparent: null },
    performance.now() + leaseMs,
  );
}

describe('WebhookSender', () => {
  it('returns the response as received', async () => {
    answer = (response) => response.writeHead(429, { 'retry-after': '7' }).end('slow down');
    const { outcome, durationMs } = await sender().send(delivery(), NEVER_STOPPED);
    expect(outcome).toEqual({ answer: { status: 429, retryAfter: '7', body: 'slow down' }, error: null });
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(asked[0]!.method).toBe('POST');
  });

  it('reports that there was no response in time', async () => {
    answer = () => undefined;
    const { outcome, durationMs } = await sender({}, TIMEOUT_MS).send(delivery(), NEVER_STOPPED);
    expect(outcome).toEqual({ answer: null, error: 'The endpoint did not respond within 0.2 seconds.' });
    expect(durationMs).toBeGreaterThanOrEqual(TIMEOUT_MS - 5);
  });

  it('reports that the connection broke before the response', async () => {
    answer = (response) => response.socket?.destroy();
    const { outcome } = await sender().send(delivery(), NEVER_STOPPED);
    expect(outcome).toEqual({ answer: null, error: 'The connection was closed before a response arrived.' });
  });

  it('explains what is wrong with a response that is not HTTP', async () => {
    answer = (response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n');
    const { outcome } = await sender().send(delivery(), NEVER_STOPPED);
    expect(outcome).toEqual({ answer: null, error: 'The response is not valid HTTP.' });
  });

  it('does not connect to a forbidden address, and reports it', async () => {
    const { outcome } = await sender({ allowNetworks: [] }).send(delivery(), NEVER_STOPPED);
    expect(outcome).toEqual({
      answer: null,
      error: '127.0.0.1 is a loopback address. Requests to such addresses are not allowed.',
    });
    expect(asked).toEqual([]);
  });

  it('sends nothing if the lease would end before the timeout, because another dispatcher may send it', async () => {
    await expect(sender().send(delivery(PATIENT_MS), NEVER_STOPPED)).rejects.toThrow(NotAttempted);
    expect(asked).toEqual([]);
  });

  it('has no result for an attempt that it aborted itself', async () => {
    const stop = new AbortController();
    answer = () => stop.abort();
    await expect(sender().send(delivery(), stop.signal)).rejects.toThrow(NotAttempted);
    expect(asked).toHaveLength(1);
    await expect(sender().send(delivery(), stop.signal)).rejects.toThrow(NotAttempted);
    expect(asked).toHaveLength(1);
  });
});
