import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SmtpClient } from '../../../src/infra/mail/smtp-client.js';
import { MailServer } from '../../support/mail/mail-server.js';

describe('SmtpClient, with a server that offers no sign-in', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
  });
  afterAll(() => server.down());

  const clientOf = (url: string) =>
    new SmtpClient({ url, from: { name: 'Images', address: 'mail@images.example' }, timeoutMs: 10_000 });

  const messageTo = (to: string) => ({
    id: 'mail_1',
    to,
    subject: 'Hi',
    text: 'Hi',
    html: '<p>Hi',
    writtenAt: new Date(),
  });

  it('sends nothing without the sign-in of the URL', async () => {
    const client = clientOf(server.urlWith('sender'));
    await expect(client.verify()).rejects.toThrow('offers no sign-in');
    expect(await client.send(messageTo('ada@example.org'))).toMatchObject({
      end: 'unanswered',
      text: expect.stringContaining('offers no sign-in'),
    });
    expect(server.to('ada@example.org')).toEqual([]);
  });

  /** A server that knows only some commands, and repeats the others. */
  async function simpleServer(
    greeting: string,
  ): Promise<{ client: SmtpClient; lines: string[]; close: () => void }> {
    const lines: string[] = [];
    const simple = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 ready\r\n');
      createInterface(socket).on('line', (line) => {
        lines.push(line);
        socket.write(line.startsWith('EHLO') ? greeting : `500 5.5.1 Command unrecognized: "${line}"\r\n`);
      });
    });
    await once(simple.listen(0, '127.0.0.1'), 'listening');
    const { port } = simple.address() as AddressInfo;
    return { client: clientOf(`smtp://sender:secret@127.0.0.1:${port}`), lines, close: () => simple.close() };
  }

  it('does not send the password', async () => {
    const { client, lines, close } = await simpleServer('250-here\r\n250 XXXXXXXA\r\n');
    try {
      await expect(client.verify()).rejects.toThrow('offers no sign-in');
      const { text } = await client.send(messageTo('ada@example.org'));
      expect(text).toContain('offers no sign-in');
      expect(lines.filter((line) => !/^(EHLO|QUIT)/.test(line))).toEqual([]);
    } finally {
      close();
    }
  });

  it('does not report the password when the server repeats the command', async () => {
    const { client, close } = await simpleServer('250-here\r\n250 AUTH PLAIN\r\n');
    try {
      const text = '500 5.5.1 Command unrecognized: "AUTH …"';
      await expect(client.verify()).rejects.toThrow(`Invalid login: ${text}`);
      expect(await client.send(messageTo('ada@example.org'))).toEqual({ end: 'deferred', text });
    } finally {
      close();
    }
  });

  it('sends if the URL contains no user', async () => {
    const client = clientOf(server.url);
    await client.verify();
    expect(await client.send(messageTo('bob@example.org'))).toMatchObject({ end: 'accepted' });
    expect(server.to('bob@example.org')).toHaveLength(1);
  });
});
