/** The number of queued jobs, regardless of the size of the database. */
export const QUEUED = 20_000;
const PROCESSING = 100;
const UNDISPATCHED = 200;
const DAYS = 400;
const ENDPOINTS = 10;
/** One account owns 60% of all rows. The others belong to 999 accounts. */
export const ACCOUNT = 'acc_0000';
export const IDLE_ENDPOINT = 'we_0000_0';
/** Every other job belongs to a batch; this many consecutive jobs share one. */
const BATCHED = 4;
export const BATCH = `bat_${'1'.padStart(32, '0')}`;

const ACCOUNT_OF = (n) =>
  `CASE WHEN ${n} % 10 < 6 THEN 'acc_0000' ELSE 'acc_' || lpad((1 + ${n} % 999)::text, 4, '0') END`;
const AT = (n) =>
  `now() - interval '1 hour' - interval '${DAYS} days' * (abs(hashint4(${n})) / 2147483648.0)`;
const ID = (prefix, at, n) =>
  `'${prefix}_' || lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(${n}), 19, '0')`;
const BATCH_OF = (n) => `'bat_' || lpad((${n} / ${BATCHED})::text, 32, '0')`;
const OPERATION = (n) => `(ARRAY['upscale', 'smooth_skin', 'auto_enhance'])[1 + ${n} % 3]`;

/**
 * Fills tables with plausible rows by SQL. Operation `bg_remove`, status `pending`, and one endpoint match no ended
 * rows, which is the worst case for a filter.
 */
export class GrowthSeed {
  #size = 0;

  /** @param client a superuser's connection, on which triggers and foreign keys are disabled in the meantime */
  constructor(client) {
    this.client = client;
  }

  async start() {
    await this.client.query("SET session_replication_role = 'replica'");
    await this.#run(ACCOUNTS);
    await this.#run(MANY_ACCOUNTS);
    await this.#run(WAITING);
  }

  /** Adds rows until there are `size` ended jobs, and a corresponding number of all other rows. */
  async growTo(size) {
    for (const statement of ROWS) await this.client.query(statement, [this.#size, size]);
    await this.client.query(AUDIT[0]);
    await this.client.query(AUDIT[1], [size]);
    for (const statement of USAGE_DAYS) await this.client.query(statement);
    this.#size = size;
    await this.client.query('VACUUM ANALYZE');
  }

  async #run(statements) {
    for (const statement of statements) await this.client.query(statement);
  }
}

const ACCOUNTS = [
  `INSERT INTO accounts (id, email, plan, password_hash)
   SELECT 'acc_' || lpad(n::text, 4, '0'), n || '@example.org', 'business', 'x' FROM generate_series(0, 999) n`,
  `INSERT INTO api_keys (id, account_id, name, hash, prefix, last4, scopes)
   SELECT 'key_' || n, ${ACCOUNT_OF('n')}, 'k', sha256(n::text::bytea), 'p', '1234', '{ai:enhance}' FROM generate_series(1, 10000) n`,
  `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, sealed_secret, previous_secrets, created_at, updated_at)
   SELECT 'we_' || substr(a.id, 5) || '_' || e, a.id, 'https://receiver.example/', '{*}', '{}', true, '', '[]', now(), now()
     FROM accounts a, generate_series(0, ${ENDPOINTS - 1}) e`,
  `INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, state, kinds)
   SELECT 'w' || n, 'h', n, 'cpu', '[]', '[]', '[]', 'serving', '{upscale/low/any,smooth_skin/low/any,auto_enhance/low/any}'
     FROM generate_series(1, 8) n`,
];

/** Additional accounts without other rows, for the operator console, which searches all accounts. */
export const CUSTOMERS = 1_000_000;
const MANY_ACCOUNTS = [
  `INSERT INTO accounts (id, email, plan, suspended_at, created_at)
   SELECT 'acc_c' || lpad(to_hex(n), 31, '0'), 'person' || n || '@company' || n % 5000 || '.example',
          CASE WHEN n % 20 = 0 THEN 'personal' WHEN n % 1000 = 7 THEN 'business' ELSE 'free' END,
          CASE WHEN n % 10000 = 3 THEN now() END, now() - n * interval '1 minute'
     FROM generate_series(1, ${CUSTOMERS}) n`,
];

const JOB_COLUMNS =
  'id, account_id, source_id, operation, level, output, metadata, status, source_pixels, period, created_at, turn';
const OUTPUT = `'{"format":"jpeg","quality":null,"background":null}', '{"orderId":"4711"}'`;

const WAITING = [
  `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at)
   VALUES ('src_waiting', '${ACCOUNT}', 'sources/src_waiting.jpg', 'jpeg', 1000, 1000, 100000, repeat('0', 64), now())`,
  `INSERT INTO jobs (${JOB_COLUMNS}, enqueued_at)
   SELECT ${ID('job', 'at', 'n')}, ${ACCOUNT_OF('n')}, 'src_waiting', ${OPERATION('n')}, 'low', ${OUTPUT}, 'queued', 1000000, '2026-01', at,
          n * 1000000::bigint, now()
     FROM generate_series(1, ${QUEUED}) n, LATERAL (SELECT now() - n * interval '10 milliseconds' AS at) t`,
  `INSERT INTO jobs (${JOB_COLUMNS}, lease_token, lease_expires_at)
   SELECT ${ID('job', 'now()', '1000000 + n')}, ${ACCOUNT_OF('n')}, 'src_waiting', ${OPERATION('n')}, 'low', ${OUTPUT}, 'processing', 1000000,
          '2026-01', now(), 0, 't', now() + interval '1 day' FROM generate_series(1, ${PROCESSING}) n`,
  `INSERT INTO events (id, account_id, type, data, created_at)
   SELECT ${ID('evt', 'now()', '5000000 + n')}, ${ACCOUNT_OF('n')}, 'enhancement.completed', '{}', now() FROM generate_series(1, ${UNDISPATCHED}) n`,
];

const SERIES = 'generate_series($1::int + 1, $2::int) n';

const ROWS = [
  `INSERT INTO sources (id, account_id, object_key, format, width, height, bytes, sha256, created_at, deleted_at)
   SELECT ${ID('src', 'at', 'n')}, ${ACCOUNT_OF('n')}, 'sources/' || n, 'jpeg', 1000, 1000, 100000, repeat('0', 64), at,
          CASE WHEN n % 2 = 0 THEN at + interval '1 day' END
     FROM ${SERIES}, LATERAL (SELECT ${AT('n')} AS at) t`,
  `INSERT INTO jobs (${JOB_COLUMNS}, model, device, timings, started_at, completed_at, result_key, result_format, result_width,
     result_height, result_bytes, result_sha256, result_expires_at, result_erased_at, error_code, request_hash, batch_id, batch_index)
   SELECT ${ID('job', 'at', 'n')}, ${ACCOUNT_OF('n')}, CASE WHEN n % 4 = 0 THEN 'src_waiting' ELSE ${ID('src', 'at', 'n')} END,
          ${OPERATION('n')}, 'low', ${OUTPUT}, CASE WHEN ok THEN 'completed' ELSE 'failed' END, 1000000, to_char(at, 'YYYY-MM'), at, 0, '{"name":"m","version":1}', 'cpu',
          '{"inferenceMs":100}', at, at + interval '1 second', CASE WHEN ok THEN 'results/' || n END, 'jpeg', 2000, 2000, 400000,
          repeat('0', 64), at + interval '30 days', CASE WHEN ok AND at < now() - interval '30 days' THEN at + interval '30 days' END,
          CASE WHEN NOT ok THEN 'undecodable_image' END, sha256(n::text::bytea),
          CASE WHEN n % 2 = 0 THEN ${BATCH_OF('n')} END, CASE WHEN n % 2 = 0 THEN n % ${BATCHED} END
     FROM ${SERIES}, LATERAL (SELECT ${AT('n')} AS at, n % 50 <> 0 AS ok) t`,
  `INSERT INTO batches (id, account_id, request, total, completed, created_at, completed_at)
   SELECT ${BATCH_OF('n')}, ${ACCOUNT_OF(`n / ${BATCHED}`)}, '{}', 1, 1, at, at
     FROM ${SERIES}, LATERAL (SELECT ${AT('n')} AS at) t WHERE n % ${BATCHED} = 0`,
  `INSERT INTO quota_ledger (job_id, kind, account_id, period, created_at, key_id)
   SELECT id, kind, account_id, to_char(at, 'YYYY-MM'), at, 'key_1' FROM (
     SELECT ${ID('job', 'at', 'n')} AS id, ${ACCOUNT_OF('n')} AS account_id, at, n
       FROM ${SERIES}, LATERAL (SELECT ${AT('n')} AS at) t) j,
     LATERAL (VALUES ('reserve'), (CASE WHEN n % 50 = 0 THEN 'refund' ELSE 'commit' END)) k (kind)`,
  `INSERT INTO events (id, account_id, type, data, created_at, dispatched_at)
   SELECT ${ID('evt', 'at', 'n')}, ${ACCOUNT_OF('n')}, 'job.completed', '{}', at, at
     FROM ${SERIES}, LATERAL (SELECT ${AT('n')} AS at) t`,
  `INSERT INTO webhook_deliveries (id, account_id, endpoint_id, event_id, event_type, url, status, attempt_count, created_at, delivered_at)
   SELECT ${ID('dlv', 'at', 'n')}, account_id, 'we_' || substr(account_id, 5) || '_' || (1 + n % ${ENDPOINTS - 1}), ${ID('evt', 'at', 'n')},
          'job.completed', 'https://receiver.example/', 'succeeded', 1, at, at
     FROM (SELECT n, ${ACCOUNT_OF('n')} AS account_id, ${AT('n')} AS at FROM ${SERIES} WHERE n % 7 <> 0) e`,
  `INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_status)
   SELECT ${ID('dlv', AT('n'), 'n')}, 1, now(), 10, 200 FROM ${SERIES} WHERE n % 7 <> 0`,
  `INSERT INTO sessions (token_hash, account_id, expires_at)
   SELECT sha256(n::text::bytea), ${ACCOUNT_OF('n')}, now() + interval '1 day' * (n % 4 - 1.5) + interval '1 millisecond' * n
     FROM ${SERIES} WHERE n % 2 = 0`,
  `INSERT INTO idempotency_keys (account_id, key, request_hash, status, body, created_at)
   SELECT ${ACCOUNT_OF('n')}, 'k' || n, 'h', 201, '{}', now() - interval '3 days' * (n % 2) FROM ${SERIES} WHERE n % 5 < 2`,
  // In the order of their ids. The first are older than a year.
  `INSERT INTO audit_events (created_at, account_id, action, actor_kind)
   SELECT now() - interval '400 days' + n * interval '10 seconds', ${ACCOUNT_OF('n')}, 'sign_in', 'person' FROM ${SERIES}`,
];

/** Ids follow time in an append-only log, so each size is a separate log. */
const AUDIT = [
  'TRUNCATE audit_events',
  `INSERT INTO audit_events (created_at, account_id, action, actor_kind, address, user_agent, details)
   SELECT now() - interval '${DAYS} days' * (1 - n / ($1::float8 + 1)), ${ACCOUNT_OF('n')},
          (ARRAY['sign_in.succeeded', 'sign_in.failed', 'key.created', 'key.updated', 'endpoint.updated'])[1 + n % 5],
          'person', '203.0.113.7', 'Mozilla/5.0 (X11; Linux x86_64)', '{"name":"Shop"}'
     FROM generate_series(1, $1::int) n`,
];

/** Rows that the disabled triggers would have written. */
const USAGE_DAYS = [
  'TRUNCATE enhancement_days, operation_days, storage_days',
  `INSERT INTO enhancement_days (account_id, day, key_id, count)
   SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(key_id, ''), count(*)
     FROM quota_ledger WHERE kind = 'reserve' GROUP BY 1, 2, 3`,
  `INSERT INTO operation_days (account_id, day, key_id, operation, count)
   SELECT r.account_id, (r.created_at AT TIME ZONE 'UTC')::date, coalesce(r.key_id, ''), j.operation, count(*)
     FROM quota_ledger r JOIN jobs j ON j.id = r.job_id WHERE r.kind = 'reserve' GROUP BY 1, 2, 3, 4`,
  `INSERT INTO storage_days (account_id, day, bytes)
   SELECT account_id, (created_at AT TIME ZONE 'UTC')::date, sum(bytes) FROM sources GROUP BY 1, 2`,
];
