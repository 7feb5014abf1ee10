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
    await expect(client.verify()).rejects.toThrow(/AUTH|login/i);
    expect(await client.send(messageTo('ada@example.org'))).toMatchObject({ end: 'deferred' });
    expect(server.to('ada@example.org')).toEqual([]);
  });

  it('does not report the password when the server repeats the command', async () => {
    const repeating = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 ready\r\n');
      createInterface(socket).on('line', (line) =>
        socket.write(
          line.startsWith('EHLO') ? '250 here\r\n' : `500 5.5.1 Command unrecognized: "${line}"\r\n`,
        ),
      );
    });
    await once(repeating.listen(0, '127.0.0.1'), 'listening');
    try {
      const { port } = repeating.address() as AddressInfo;
      const client = clientOf(`smtp://sender:secret@127.0.0.1:${port}`);
      const text = '500 5.5.1 Command unrecognized: "AUTH …"';
      await expect(client.verify()).rejects.toThrow(`Invalid login: ${text}`);
      expect(await client.send(messageTo('ada@example.org'))).toEqual({ end: 'deferred', text });
    } finally {
      repeating.close();
    }
  });

  it('sends if the URL contains no user', async () => {
    const client = clientOf(server.url);
    await client.verify();
    expect(await client.send(messageTo('bob@example.org'))).toMatchObject({ end: 'accepted' });
    expect(server.to('bob@example.org')).toHaveLength(1);
  });
});
