// The baseline for the service: only Fastify and pg, without keys, limits, or validation.
import { createHash, randomUUID } from 'node:crypto';
import fastifyFactory from 'fastify';
import pg from 'pg';

const { DATABASE_URL, ACCOUNT_ID, SOURCE_ID } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const fastify = fastifyFactory();

/** Writes the same rows as a job of the service (counter, job, ledger, event) in one transaction. */
fastify.post('/enhance', async (request, reply) => {
  const id = `job_${randomUUID().replaceAll('-', '')}`;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query({
      name: 'usage',
      text: `INSERT INTO enhancement_usage AS u (account_id, period, used) VALUES ($1, '2000-01', 1)
             ON CONFLICT (account_id, period) DO UPDATE SET used = u.used + 1`,
      values: [ACCOUNT_ID],
    });
    await client.query({
      name: 'job',
      text: `INSERT INTO jobs (id, account_id, source_id, operation, level, output, metadata, status, error_code, source_pixels, period, created_at)
             VALUES ($1, $2, $3, $4, 'medium', '{}', '{}', 'failed', 'canceled', 1, '2000-01', now())`,
      values: [id, ACCOUNT_ID, SOURCE_ID, request.body.operation],
    });
    await client.query({
      name: 'ledger',
      text: `INSERT INTO quota_ledger (job_id, kind, account_id, period) VALUES ($1, 'reserve', $2, '2000-01')`,
      values: [id, ACCOUNT_ID],
    });
    await client.query({
      name: 'event',
      text: `INSERT INTO events (id, account_id, type, data, created_at) VALUES ($1, $2, 'enhancement.queued', $3, now())`,
      values: [`evt_${id}`, ACCOUNT_ID, JSON.stringify({ job: { id, status: 'queued' } })],
    });
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return reply.status(201).send({ id, status: 'queued', operation: request.body.operation });
});

await pool.query('CREATE TABLE IF NOT EXISTS bare_rows (id text PRIMARY KEY, body jsonb NOT NULL)');

/** The minimum cost of a durable creation: one row in a separate table, and its commit. */
fastify.post('/row', async (request, reply) => {
  const id = randomUUID();
  await pool.query({
    name: 'row',
    text: 'INSERT INTO bare_rows (id, body) VALUES ($1, $2)',
    values: [id, JSON.stringify(request.body)],
  });
  return reply.status(201).send({ id });
});

const FIND = { name: 'find', text: 'SELECT * FROM jobs WHERE account_id = $1 AND id = $2' };

fastify.get(
  '/enhance/:id',
  async (request) => (await pool.query({ ...FIND, values: [ACCOUNT_ID, request.params.id] })).rows[0],
);

const KEY = {
  name: 'key',
  text: `SELECT k.*, a.plan, a.limits FROM api_keys k JOIN accounts a ON a.id = k.account_id
          WHERE k.hash = $1 AND k.revoked_at IS NULL`,
};
const COUNT = {
  name: 'count',
  text: `INSERT INTO rate_limits AS r (bucket, window_index, current_count, previous_count, granted)
         VALUES ($1, floor(extract(epoch FROM now()) / 60), 1, 0, 1)
         ON CONFLICT (bucket) DO UPDATE SET current_count = r.current_count + 1 RETURNING current_count`,
};

/** The same work as the service: looks up the key, counts the request, and reads the job. */
fastify.get('/checked/:id', async (request, reply) => {
  const hash = createHash('sha256').update(request.headers['x-api-key']).digest();
  const key = (await pool.query({ ...KEY, values: [hash] })).rows[0];
  const counted = await pool.query({ ...COUNT, values: [`bare-${key.id}`] });
  reply.header('X-RateLimit-Remaining', String(1e9 - counted.rows[0].current_count));
  return (await pool.query({ ...FIND, values: [key.account_id, request.params.id] })).rows[0];
});

await fastify.listen({ port: 0, host: '127.0.0.1' });
process.send({ type: 'ready', port: fastify.server.address().port });
process.on('disconnect', () => process.exit(0));
