import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { photo } from '../../support/images/images.js';
import { MailServer, type ReceivedMail } from '../../support/mail/mail-server.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { answerWith, WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const NEAR = "You've used 80% of your monthly quota";
const ORDER = { operation: 'smooth_skin' } as const;
const USED_UP = "You've used all of your monthly quota";

type Client = Awaited<ReturnType<FlowService['client']>>;

describe('email notices', () => {
  let mails: MailServer;
  let receiver: WebhookReceiver;
  let service: FlowService;
  let people = 0;

  beforeAll(async () => {
    mails = await MailServer.start();
    receiver = await WebhookReceiver.start();
    const env = {
      ...WEBHOOK_ENV,
      SMTP_URL: mails.url,
      SMTP_FROM: 'mail@images.example',
      SMTP_TIMEOUT_MS: '2000',
      MAIL_RETRY_DELAYS_MS: '0,100,200,400,800,1600,1600,1600,1600,1600,1600,1600,1600,1600,1600,1600,1600',
      SWEEP_INTERVAL_MS: '200',
    };
    service = await FlowService.start({ roles: ['api', 'dispatcher'], env });
  });
  afterEach(async () => {
    mails.beforeAnswer = () => Promise.resolve();
    await mails.up();
  });
  afterAll(async () => {
    await service?.close();
    await mails?.down();
    await receiver?.down();
  });

  const untilReceived = (email: string, count: number): Promise<ReceivedMail[]> =>
    eventually(`${count} mails to ${email}`, () => {
      const found = mails.to(email);
      return found.length >= count ? { found } : { seen: found.map(({ subject }) => subject) };
    });

  async function ownerOf({ account }: Client): Promise<string> {
    const [row] = await service.database.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
      account.accountId,
    ]);
    return row!.email;
  }

  /** Adds a member to the account. @returns the email address */
  async function addMember({ account }: Client, role: string, settings?: string): Promise<string> {
    const id = `acc_member${(people += 1)}`;
    const email = `${id}@example.org`;
    await service.database.rows(`INSERT INTO accounts (id, email, plan) VALUES ($1, $2, 'free')`, [
      id,
      email,
    ]);
    await service.database.rows('INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $2, $3)', [
      account.accountId,
      id,
      role,
    ]);
    if (settings !== undefined)
      await service.database.rows(
        `INSERT INTO notification_settings (user_id, language, quota, webhooks)
         VALUES ($1, $2, $3 <> 'no quota', $3 <> 'no webhooks')`,
        [id, settings === 'german' ? 'de' : 'en', settings],
      );
    return email;
  }

  /** Creates jobs concurrently, none of which is refused. */
  async function create(client: Client, count: number): Promise<void> {
    const { url } = await client.upload(await photo(64, 48, 'jpeg'));
    await Promise.all(Array.from({ length: count }, () => client.create(url, ORDER)));
  }

  async function expectNoticesDone({ account }: Client): Promise<void> {
    await eventually('every notice to be handled', async () => {
      const rows = await service.database.rows<{ open: number }>(
        'SELECT count(*) FILTER (WHERE done_at IS NULL)::int AS open FROM account_notices WHERE account_id = $1',
        [account.accountId],
      );
      return rows[0]!.open === 0 ? { found: true } : { seen: rows };
    });
  }

  const subjectsTo = (email: string): string[] =>
    mails
      .to(email)
      .map(({ subject }) => subject)
      .toSorted();

  /** Counts rows, so that a mail sent twice by a killed dispatcher counts once. */
  async function writtenTo(email: string): Promise<number> {
    return (await service.database.rows('SELECT id FROM mails WHERE recipient = $1', [email])).length;
  }

  it('of a quota go once to each owner and billing contact, even if ten jobs reach it at once', async () => {
    const client = await service.client({ enhancements: 10 });
    const owner = await ownerOf(client);
    const billing = await addMember(client, 'billing', 'german');
    const silent = await addMember(client, 'owner', 'no quota');
    const developer = await addMember(client, 'developer');
    const second = await service.startRole('dispatcher');
    await create(client, 10);
    await untilReceived(owner, 2);
    await untilReceived(billing, 2);
    expect(subjectsTo(owner)).toEqual([NEAR, USED_UP]);
    expect(subjectsTo(billing)).toEqual([
      'Ihr Kontingent ist aufgebraucht',
      'Ihr Kontingent ist zu 80 % verbraucht',
    ]);
    const usedUp = mails.to(owner).find(({ subject }) => subject === USED_UP)!;
    expect(usedUp.text).toContain(`Account: ${owner}\nUsed: 10 of 10\nResets on: `);
    expect(usedUp.text).toContain(`${service.baseUrl}/usage`);
    expect(usedUp.text).toContain(`turn off these emails, go to ${service.baseUrl}/account`);
    await expectNoticesDone(client);
    for (const nobody of [silent, developer]) expect(await writtenTo(nobody), nobody).toBe(0);
    await second.terminate();
  });

  it('of a quota skip the 80% notice when one batch uses it up', async () => {
    const client = await service.client({ enhancements: 5 });
    const owner = await ownerOf(client);
    const { url } = await client.upload(await photo(64, 48, 'jpeg'));
    const batch = { sourceUrls: Array.from({ length: 5 }, () => url), ...ORDER };
    expect(await client.request('POST', '/api/ai/batches', batch)).toMatchObject({ status: 201 });
    await untilReceived(owner, 1);
    await expectNoticesDone(client);
    expect(await writtenTo(owner)).toBe(1);
    expect(subjectsTo(owner)).toEqual([USED_UP]);
    // A refund does not bring the skipped notice back.
    await service.database.rows('UPDATE enhancement_usage SET used = 3 WHERE account_id = $1', [
      client.account.accountId,
    ]);
    await create(client, 1);
    await expectNoticesDone(client);
    expect(await writtenTo(owner)).toBe(1);
  });

  it('of a quota are not repeated within a month, even after refunds', async () => {
    const client = await service.client({ enhancements: 5 });
    const owner = await ownerOf(client);
    await create(client, 4);
    await untilReceived(owner, 1);
    expect(subjectsTo(owner)).toEqual([NEAR]);
    const { accountId } = client.account;
    await service.database.rows('UPDATE enhancement_usage SET used = 2 WHERE account_id = $1', [accountId]);
    await create(client, 3);
    await untilReceived(owner, 2);
    await expectNoticesDone(client);
    expect(subjectsTo(owner)).toEqual([NEAR, USED_UP]);
  });

  it('of a quota survive a killed dispatcher and a mail server that is down', async () => {
    await mails.down();
    const client = await service.client({ enhancements: 10 });
    const owner = await ownerOf(client);
    await create(client, 8);
    await service.killRole('dispatcher');
    await create(client, 2);
    await service.startRole('dispatcher');
    await eventually('the mails to be written', async () => {
      const count = await writtenTo(owner);
      return count >= 2 ? { found: true } : { seen: count };
    });
    // Kill it again while the server holds a mail that it has not answered.
    const underWay = new Set<string>();
    mails.beforeAnswer = ({ to }) => {
      underWay.add(to);
      return new Promise(() => undefined);
    };
    await mails.up();
    await eventually('a mail to be under way', () =>
      underWay.has(owner) ? { found: true } : { seen: underWay },
    );
    await service.killRole('dispatcher');
    mails.beforeAnswer = () => Promise.resolve();
    await service.startRole('dispatcher');
    await eventually('both to be sent', async () => {
      const rows = await service.database.rows<{ status: string }>(
        'SELECT status FROM mails WHERE recipient = $1',
        [owner],
      );
      return rows.every(({ status }) => status === 'sent') ? { found: true } : { seen: rows };
    });
    expect(await writtenTo(owner)).toBe(2);
    const ids = new Set(mails.to(owner).map(({ headers }) => headers['message-id']));
    expect(ids.size).toBe(2);
    expect([...new Set(subjectsTo(owner))]).toEqual([NEAR, USED_UP]);
  });

  it('of a two-factor reset by an operator go to the user, in their language', async () => {
    const client = await service.client();
    const owner = await ownerOf(client);
    const { accountId } = client.account;
    await service.database.rows(
      `INSERT INTO two_factor_secrets (account_id, sealed_secret, enabled_at) VALUES ($1, 'x', now())`,
      [accountId],
    );
    await service.database.rows(
      `INSERT INTO notification_settings (user_id, language, quota, webhooks) VALUES ($1, 'de', false, false)`,
      [accountId],
    );
    await adminAnswer(service.databaseUrl, 'account', 'reset-two-factor', accountId);
    const [mail] = await untilReceived(owner, 1);
    expect(mail!.subject).toBe('Zwei-Faktor-Authentifizierung wurde zurückgesetzt');
    expect(mail!.text).toContain(`${service.baseUrl}/account/security`);
    await expectNoticesDone(client);
    expect(await writtenTo(owner)).toBe(1);
  });

  it('of an address that an operator changed go to the earlier one', async () => {
    const client = await service.client();
    const owner = await ownerOf(client);
    const { accountId } = client.account;
    await adminAnswer(service.databaseUrl, 'account', 'set-email', accountId, 'moved@example.org');
    const [mail] = await untilReceived(owner, 1);
    expect(mail!.subject).toBe('Your email address was changed');
    expect(mail!.text).toContain('New address: moved@example.org');
    await expectNoticesDone(client);
    expect(mails.to('moved@example.org')).toEqual([]);
  });

  it('of a past month are dropped after a day without mail', async () => {
    const client = await service.client({ enhancements: 10 });
    const owner = await ownerOf(client);
    await service.database.rows(
      `INSERT INTO account_notices (account_id, kind, key, data, created_at)
       VALUES ($1, 'quota', 'old', '{"period": "2020-01", "percent": 80, "used": 8, "allowed": 10}', now() - interval '25 hours')`,
      [client.account.accountId],
    );
    await expectNoticesDone(client);
    expect(await writtenTo(owner)).toBe(0);
  });

  it('of a disabled endpoint contain its origin and the reason, but no secret', async () => {
    const webhooks = await FlowWebhooks.of(service);
    const { client } = webhooks;
    const owner = await ownerOf(client);
    const developer = await addMember(client, 'developer');
    const silent = await addMember(client, 'admin', 'no webhooks');
    const billing = await addMember(client, 'billing');
    receiver.answers.set('/gone/secret-token', answerWith(410));
    const { id } = await webhooks.register(receiver.url('/gone/secret-token'));
    await webhooks.ping(id);
    for (const email of [owner, developer]) {
      const [mail] = await untilReceived(email, 1);
      expect(mail!.subject).toBe('A webhook endpoint was disabled');
      expect(mail!.text).toContain(`Endpoint: ${new URL(receiver.url('/')).origin}\n`);
      expect(mail!.text).toContain('Reason: It responded with 410 Gone.');
      expect(mail!.text).toContain(`${service.baseUrl}/webhooks/endpoints`);
      expect(mail!.text).not.toContain('secret-token');
    }
    await expectNoticesDone(client);
    for (const nobody of [silent, billing]) expect(await writtenTo(nobody), nobody).toBe(0);
    expect(await writtenTo(owner)).toBe(1);
  });
});
