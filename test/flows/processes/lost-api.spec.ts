import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';

const ORDER = { operation: 'smooth_skin' } as const;

describe('an api killed between commit and enqueue', () => {
  let service: FlowService;
  let client: FlowClient;

  beforeAll(async () => {
    // No dispatcher runs, so nothing is repaired before the test has checked it.
    service = await FlowService.start({ roles: ['api', 'worker'] });
    client = await service.client();
  });
  afterAll(() => service?.close());

  it('loses no job: the sweeper enqueues it', async () => {
    const { url } = await client.upload(await solidFile(16, 16, [40, 90, 140]));
    // The first job runs normally, so that the queue's tables and connections exist.
    await client.completed((await client.create(url, ORDER)).id);
    // Workers also poll for jobs now and then; this test is about the message.
    await service.stopRole('worker');

    const { id } = await service.database.whileLocked('bullmq.job', async () => {
      // The queue is locked, but the client still gets its response, because the job is committed.
      const job = await client.create(url, ORDER);
      await eventually('the message to be on its way', async () => {
        const blocked = await service.database.blocked();
        return blocked > 0 ? { found: true } : { seen: { blocked } };
      });
      await service.killRole('api');
      await service.database.endBlocked();
      return job;
    });
    expect(await service.database.rows('SELECT id FROM bullmq.job')).toEqual([]);
    expect(await service.database.job(id)).toMatchObject({
      status: 'queued',
      enqueued_at: null,
      attempts: 0,
    });

    await service.startRole('api');
    expect((await client.job(id)).status, 'nobody knows of it yet').toBe('queued');
    await service.startRole('dispatcher');
    await eventually('the sweeper to send the message', async () => {
      const messages = await service.database.rows('SELECT id FROM bullmq.job');
      return messages.length === 1 ? { found: true } : { seen: messages };
    });
    await service.startRole('worker');
    expect(await client.completed(id)).toMatchObject({ attempts: 1 });
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
  });
});

describe('an api that is too busy to accept connections', () => {
  let service: FlowService;
  beforeAll(async () => {
    service = await FlowService.start({ roles: ['api'] });
  });
  afterAll(() => service?.close());

  it('loses none of a thousand clients that connect at once', async () => {
    // A queue in the kernel holds them. It is shorter only where an administrator has set `net.core.somaxconn` lower.
    const longest = Number(await readFile('/proc/sys/net/core/somaxconn', 'utf8'));
    const count = Math.min(1_000, longest);
    const { hostname, port } = new URL(service.baseUrl);
    service.role('api').pause();
    const clients = Array.from({ length: count }, () =>
      // Reported where the connection or the answer is awaited.
      connect(Number(port), hostname).on('error', () => undefined),
    );
    try {
      await Promise.all(clients.map((client) => once(client, 'connect')));
    } finally {
      service.role('api').resume();
    }
    const answers = clients.map(async (client) => {
      client.write(`GET /health/live HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
      return text(client);
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
