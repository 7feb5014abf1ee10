import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { built } from '../lib/built.mjs';

/** The tables that are read at the end and written to the history unchanged. */
const TABLES = {
  jobs: `SELECT id, account_id, source_id, status, error_code, attempts, machine_faults, period, result_key, result_sha256,
                result_bytes::float8 AS result_bytes, result_erased_at IS NOT NULL AS erased, deleted_at IS NOT NULL AS deleted
           FROM jobs ORDER BY id`,
  ledger: `SELECT job_id, kind, account_id, period FROM quota_ledger ORDER BY job_id, kind`,
  usage: `SELECT account_id, period, used FROM enhancement_usage`,
  storage: `SELECT account_id, used_bytes::float8 AS used_bytes FROM storage_usage`,
  sources: `SELECT id, account_id, object_key, bytes::float8 AS bytes, sha256, deleted_at IS NOT NULL AS deleted FROM sources ORDER BY id`,
  events: `SELECT id, account_id, type, coalesce(data->'job'->>'id', data->'upload'->>'id') AS subject,
                  dispatched_at IS NOT NULL AS dispatched FROM events ORDER BY id`,
  deliveries: `SELECT id, account_id, endpoint_id, event_id, status, attempt_count FROM webhook_deliveries ORDER BY id`,
};

const UNFINISHED = `SELECT
  (SELECT count(*)::int FROM jobs WHERE status IN ('queued', 'processing')) AS jobs,
  (SELECT count(*)::int FROM events WHERE dispatched_at IS NULL) AS events,
  (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS deliveries`;

const OBJECT_AGE_SECONDS = 7_200;

/** The state of the service, read directly from its database and disk. */
export class State {
  constructor(databaseUrl, dataDir) {
    this.databaseUrl = databaseUrl;
    this.objectsDir = join(dataDir, 'objects');
  }

  /** The amount of unfinished work. @returns {Promise<{ jobs: number, events: number, deliveries: number }>} */
  async unfinished() {
    const [row] = await this.#rows([UNFINISHED]);
    return row[0];
  }

  /** All tables that the checks need. */
  async tables() {
    const names = Object.keys(TABLES);
    const results = await this.#rows(Object.values(TABLES));
    return Object.fromEntries(names.map((name, index) => [name, results[index]]));
  }

  /** Keys of the stored sources and results, such as `results/job_….png`, and the number of temporary files. */
  async objects() {
    const kept = [];
    for (const kind of ['sources', 'results']) {
      for (const { name } of await filesBelow(join(this.objectsDir, 'kept', kind)))
        kept.push(`${kind}/${name}`);
    }
    const temporary = (await filesBelow(join(this.objectsDir, 'tmp'))).map(({ name }) => name);
    return { kept: kept.toSorted(), temporary };
  }

  /** Sets the times of all objects to hours ago, so that the orphan sweep of the next dispatcher examines them. */
  async ageObjects() {
    const seconds = Date.now() / 1000 - OBJECT_AGE_SECONDS;
    for (const file of await filesBelow(this.objectsDir)) {
      await utimes(join(file.parentPath ?? file.path, file.name), seconds, seconds).catch(() => undefined);
    }
  }

  async #rows(statements) {
    const { withClient } = await built('infra/database/with-client.js');
    return withClient({ connectionString: this.databaseUrl }, async (client) => {
      const results = [];
      for (const text of statements) results.push((await client.query(text)).rows);
      return results;
    });
  }
}

/** Files in a folder and its subfolders; empty if the folder does not exist. */
export async function filesBelow(dir) {
  try {
    await stat(dir);
  } catch {
    return [];
  }
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile());
}
