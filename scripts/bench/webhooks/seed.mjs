import { built } from '../../lib/built.mjs';

/** Writes endpoints and events of one account like the service: sealed secrets, and events in separate commits. */
export class WebhookSeed {
  constructor(database, accountId, tools) {
    Object.assign(this, { database, accountId, tools });
  }

  static async open(database, dataDir, accountId) {
    const { SecretBox } = await built('infra/sealing/secret-box.js');
    const { loadSecrets } = await built('config/secrets/secrets.js');
    const { newId } = await built('kernel/ids.js');
    const { newWebhookSecret } = await built('kernel/webhooks/webhook-signature.js');
    const box = new SecretBox((await loadSecrets(dataDir)).sealingKeys);
    return new WebhookSeed(database, accountId, { box, newId, newWebhookSecret });
  }

  /** Creates endpoints with these URLs that subscribe to everything. May exceed the limit of an account. */
  async endpoints(urls) {
    const { box, newId, newWebhookSecret } = this.tools;
    const ids = urls.map(() => newId('webhookEndpoint'));
    const sealed = ids.map((id) => box.seal(newWebhookSecret(), id));
    await this.database.query(
      `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, sealed_secret, previous_secrets,
         created_at, updated_at)
       SELECT id, $1, url, ARRAY['*'], '{}', true, sealed, '[]', now(), now()
         FROM unnest($2::text[], $3::text[], $4::bytea[]) AS given (id, url, sealed)`,
      [this.accountId, ids, urls, sealed],
    );
  }

  /** Commits this many events. @returns their ids */
  async events(count) {
    const ids = Array.from({ length: count }, () => this.tools.newId('event'));
    await this.database.query(
      `INSERT INTO events (id, account_id, type, data, created_at)
       SELECT id, $1, 'enhancement.queued', $3, now() FROM unnest($2::text[]) AS id`,
      [this.accountId, ids, { job: EXAMPLE_JOB }],
    );
    return ids;
  }

  async clear() {
    await this.database.query('DELETE FROM webhook_endpoints');
    await this.database.query('DELETE FROM events');
  }
}

/** A job document of typical size. */
const EXAMPLE_JOB = {
  id: 'job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f',
  status: 'queued',
  operation: 'upscale',
  level: 'medium',
  sourceUrl: `https://images.example/files/src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f.jpg?exp=1795334400&sig=${'0a'.repeat(32)}`,
  error: null,
  output: { format: 'jpeg', quality: null, background: null },
  progress: 0,
  attempts: 0,
  model: null,
  device: null,
  timings: null,
  metadata: { orderId: '4711', customer: 'a person with a name of usual length' },
  createdAt: '2026-11-21T08:00:00.000Z',
  startedAt: null,
  completedAt: null,
};
