import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SmtpClient } from '../../../src/infra/mail/smtp-client.js';
import { MailServer } from '../../support/mail/mail-server.js';
import { eventually } from '../../support/roles/flow-wait.js';

const TO = 'ada@example.org';

describe('SmtpClient, with a slow server', () => {
  let server: MailServer;
  beforeEach(async () => {
    server = await MailServer.start();
  });
  afterEach(() => server.down());

  async function send(timeoutMs: number) {
    const from = { name: 'Images', address: 'mail@images.example' };
    const client = new SmtpClient({ url: server.url, from, timeoutMs });
    const message = { id: 'mail_1', to: TO, subject: 'Hi', text: 'Hi', html: '<p>Hi', writtenAt: new Date() };
    return client.send(message);
  }

  const untilNobodyIsConnected = () =>
    eventually('the end of the connections', () => {
      const count = server.connectionCount;
      return count === 0 ? { found: true } : { seen: count };
    });

  it('delivers nothing after the timeout, although no single step exceeds it', async () => {
    const timeoutMs = 1_000;
    server.beforeStep = () => sleep(0.4 * timeoutMs);
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(await send(timeoutMs)).toEqual({ end: 'unanswered', text: 'no answer within 1000 ms' });
    await untilNobodyIsConnected();
    expect(server.to(TO)).toEqual([]);
  });

  it('gives a server that has the complete email the same time again', async () => {
    const timeoutMs = 4_000;
    let isConnected = false;
    server.beforeStep = async () => {
      if (!isConnected) await sleep(0.6 * timeoutMs);
      isConnected = true;
    };
    server.beforeAnswer = () => sleep(0.6 * timeoutMs);
    expect(await send(timeoutMs)).toMatchObject({ end: 'accepted' });
    expect(server.to(TO)).toHaveLength(1);
  });

  it('closes the connection to a server that never responds to the email', async () => {
    server.beforeAnswer = () => new Promise(() => undefined);
    expect(await send(1_000)).toMatchObject({ end: 'unanswered' });
    await untilNobodyIsConnected();
  });
});
