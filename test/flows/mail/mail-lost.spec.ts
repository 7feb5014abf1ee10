import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MailServer, type ReceivedMail } from '../../support/mail/mail-server.js';
import { readMetrics } from '../../support/roles/flow-metrics.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';

describe('mails', () => {
  let mails: MailServer;
  let service: FlowService;
  let metricsPort: number;
  let people = 0;

  beforeAll(async () => {
    mails = await MailServer.start({ user: 'sender', pass: 'secret: w@rd' });
    metricsPort = await freePort();
    const env = {
      SMTP_URL: mails.url,
      SMTP_FROM: 'Images <mail@images.example>',
      // A mail is due again 9 s after its dispatcher is killed.
      SMTP_TIMEOUT_MS: '2000',
      MAIL_RETRY_DELAYS_MS: '0,100,200,400,800,1600,1600,1600,1600,1600,1600,1600,1600,1600,1600,1600,1600',
      DISPATCHER_PORT: String(metricsPort),
      PASSWORD_RESETS_PER_MINUTE: '1000',
      SIGN_IN_ATTEMPTS_PER_MINUTE: '1000',
    };
    service = await FlowService.start({ roles: ['api', 'dispatcher'], env });
  });
  afterEach(async () => {
    mails.beforeAnswer = () => Promise.resolve();
    mails.answers.clear();
    await mails.up();
  });
  afterAll(async () => {
    await service?.close();
    await mails?.down();
  });

  /** Creates an account that requests a mail. @returns its email address */
  async function askForMail(): Promise<string> {
    const email = `person${(people += 1)}@example.org`;
    await service.database.rows(
      `INSERT INTO accounts (id, email, plan) VALUES ('acc_' || md5($1), $1, 'free')`,
      [email],
    );
    const response = await fetch(`${service.baseUrl}/dashboard/api/password-resets`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.baseUrl },
      body: JSON.stringify({ email }),
    });
    expect(response.status, await response.text()).toBe(202);
    return email;
  }

  interface Row {
    readonly id: string;
    readonly status: string;
    readonly attempts: number;
    readonly error: string | null;
    readonly hasContent: boolean;
  }

  async function rowOf(email: string): Promise<Row> {
    const [row] = await service.database.rows<Row>(
      `SELECT id, status, attempts, error, sealed_content IS NOT NULL AS "hasContent" FROM mails WHERE recipient = $1`,
      [email],
    );
    return row!;
  }

  const untilEnded = (email: string): Promise<Row> =>
    eventually('a mail to end', async () => {
      const row = await rowOf(email);
      return row.status === 'pending' ? { seen: row } : { found: row };
    });

  const untilReceived = (email: string, count = 1): Promise<ReceivedMail[]> =>
    eventually(`${count} mails`, () => {
      const found = mails.to(email);
      return found.length >= count ? { found } : { seen: found.length };
    });

  it('are sent by the dispatcher, and their content is deleted', async () => {
    const email = await askForMail();
    const [mail] = await untilReceived(email);
    const row = await untilEnded(email);
    expect(row).toMatchObject({ status: 'sent', attempts: 1, error: null, hasContent: false });
    expect(mail).toMatchObject({ from: 'mail@images.example', subject: 'Reset your password' });
    expect(mail!.headers).toMatchObject({
      from: 'Images <mail@images.example>',
      to: email,
      'message-id': `<${row.id}@images.example>`,
      'auto-submitted': 'auto-generated',
    });
    expect(mail!.text).toContain(`${service.baseUrl}/reset-password#`);
  });

  it('arrive once the mail server is back', async () => {
    await mails.down();
    const emails = [await askForMail(), await askForMail()];
    await eventually('two attempts', async () => {
      const rows = await Promise.all(emails.map(rowOf));
      return rows.every(({ attempts }) => attempts >= 2) ? { found: true } : { seen: rows };
    });
    expect(await rowOf(emails[0]!)).toMatchObject({ status: 'pending', hasContent: true });
    await mails.up();
    for (const email of emails) {
      await untilReceived(email);
      expect(await untilEnded(email)).toMatchObject({ status: 'sent' });
      expect(mails.to(email)).toHaveLength(1);
    }
  });

  it('survive a dispatcher killed while sending: the same mail is sent again', async () => {
    const underWay: ReceivedMail[] = [];
    // The server accepts the mail but never responds, so the dispatcher cannot know.
    mails.beforeAnswer = (mail) => {
      underWay.push(mail);
      return new Promise(() => undefined);
    };
    const emails = [await askForMail(), await askForMail()];
    await eventually('both mails to be under way', () =>
      new Set(underWay.map(({ to }) => to)).size === 2 ? { found: true } : { seen: underWay.length },
    );
    await service.killRole('dispatcher');
    mails.beforeAnswer = () => Promise.resolve();
    // This one is written while no dispatcher runs.
    emails.push(await askForMail());
    await service.startRole('dispatcher');
    for (const email of emails) {
      const row = await untilEnded(email);
      expect(row).toMatchObject({ status: 'sent' });
      const ids = new Set(mails.to(email).map(({ headers }) => headers['message-id']));
      expect([...ids]).toEqual([`<${row.id}@images.example>`]);
    }
    expect(mails.to(emails[0]!).length).toBeGreaterThan(1);
    expect(mails.to(emails[2]!)).toHaveLength(1);
  });

  it.each(['recipient', 'message'] as const)(
    'fail after one attempt when the server permanently rejects the %s',
    async (at) => {
      const email = `person${people + 1}@example.org`;
      mails.answers.set(email, { code: 550, text: `<${email}> is unknown here`, at });
      await askForMail();
      const row = await untilEnded(email);
      expect(row).toMatchObject({ status: 'refused', attempts: 1, hasContent: false });
      expect(row.error).toBe('550 <…> is unknown here');
      const samples = await readMetrics(`http://127.0.0.1:${metricsPort}/metrics`);
      const refused = samples.filter(
        ({ name, labels }) => name === 'ies_mails_total' && labels['end'] === 'refused',
      );
      expect(refused).toMatchObject([{ labels: { kind: 'password_reset' } }]);
      expect(refused[0]!.value).toBeGreaterThan(0);
      const line = await eventually('the line of the log', () => {
        const lines = service.role('dispatcher').log.split('\n');
        const found = lines.find((each) => each.includes(row.id) && each.includes('will not be sent'));
        return { found, seen: lines.slice(-3) };
      });
      expect(JSON.parse(line)).toMatchObject({ mail: row.id, kind: 'password_reset', end: 'refused' });
      expect(line).not.toContain(email);
    },
  );

  it('are retried when the server rejects them temporarily', async () => {
    const email = `person${people + 1}@example.org`;
    mails.answers.set(email, { code: 451, text: 'busy', at: 'message' });
    await askForMail();
    await eventually('two attempts', async () => {
      const row = await rowOf(email);
      return row.attempts >= 2 ? { found: row } : { seen: row };
    });
    mails.answers.clear();
    expect((await untilEnded(email)).status).toBe('sent');
  });

  it('expire without another attempt', async () => {
    await mails.down();
    const email = await askForMail();
    await eventually('an attempt', async () => ((await rowOf(email)).attempts > 0 ? { found: true } : {}));
    await service.database.rows('UPDATE mails SET expires_at = now() WHERE recipient = $1', [email]);
    expect(await untilEnded(email)).toMatchObject({ status: 'expired', hasContent: false });
    await mails.up();
    expect(mails.to(email)).toEqual([]);
  });

  it('are sent once each by two dispatchers', async () => {
    await service.stopRole('dispatcher');
    // On a busy machine, the usual timeout of this file would cause second attempts.
    const start = async () => {
      const env = { SMTP_TIMEOUT_MS: '60000', DISPATCHER_PORT: String(await freePort()) };
      return service.startRole('dispatcher', env);
    };
    await Promise.all([start(), start()]);
    const emails = await Promise.all(Array.from({ length: 20 }, () => askForMail()));
    for (const email of emails)
      expect(await untilEnded(email)).toMatchObject({ status: 'sent', attempts: 1 });
    for (const email of emails) expect(mails.to(email)).toHaveLength(1);
  });
});
