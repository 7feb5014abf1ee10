import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MailServer } from '../../support/mail/mail-server.js';
import { SmtpClient } from '../../../src/infra/mail/smtp-client.js';

describe('SmtpClient', () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await MailServer.start();
  });
  afterAll(() => server.down());

  it.each(['root,ada@example.com', 'ada@example.com;root', '(1)ada@example.com', 'ada@example.com<root>'])(
    'finds no other recipient in the stored address %s',
    async (address) => {
      const client = new SmtpClient({
        url: server.url,
        from: { name: 'Images', address: 'mail@images.example' },
        timeoutMs: 10_000,
      });
      server.asked.length = 0;
      const writtenAt = new Date();
      await client.send({ id: 'mail_1', to: address, subject: 'Hi', text: 'Hi', html: '<p>Hi', writtenAt });
      expect(server.asked.length).toBeLessThanOrEqual(1);
      expect(server.asked).not.toContain('root');
      expect(server.asked).not.toContain('ada@example.com');
    },
  );
});
