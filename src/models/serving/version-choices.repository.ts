import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { isSchemaOld, withBriefConnection } from './brief-connection.js';
import { MODELS_CHANGED } from './model-workers.repository.js';
import type { RequestedCanary, VersionChoice } from '../repository/version-choice.js';

/** Notifies every worker that an operator chose other versions. */
export const CHOICES_CHANGED = 'model_choices_changed';

const COLUMNS = `operation, serving, previous, CASE WHEN canary_version IS NOT NULL THEN jsonb_build_object(
  'version', canary_version, 'percent', canary_percent, 'by', canary_by, 'since', canary_since) END AS canary`;

const ALL: Prepared = {
  name: 'model_choices_all',
  text: `SELECT ${COLUMNS} FROM model_choices ORDER BY operation`,
};

const ADD: Prepared = {
  name: 'model_choice_add',
  text: 'INSERT INTO model_choices (operation) VALUES ($1) ON CONFLICT DO NOTHING',
};

const LOCK: Prepared = {
  name: 'model_choice_lock',
  text: `SELECT ${COLUMNS} FROM model_choices WHERE operation = $1 FOR UPDATE`,
};

const SAVE: Prepared = {
  name: 'model_choice_save',
  text: `WITH written AS (
           UPDATE model_choices
              SET serving = $2, previous = $3, canary_version = $4, canary_percent = $5, canary_by = $6, changed_at = now(),
                  canary_since = CASE WHEN $4::int IS NULL THEN NULL
                                      WHEN (canary_version, canary_by) = ($4::int, $6::text) THEN canary_since
                                      ELSE now() END
            WHERE operation = $1
           RETURNING operation)
         SELECT pg_notify('${CHOICES_CHANGED}', operation), pg_notify('${MODELS_CHANGED}', operation) FROM written`,
};

/** A choice without what the database sets. */
export interface ChangedChoice extends Omit<VersionChoice, 'canary'> {
  readonly canary: RequestedCanary | null;
}

/** What operators chose to serve. Belongs to the service, not to an account. */
@Injectable()
export class VersionChoicesRepository {
  constructor(private readonly database: Database) {}

  /** By operation. Operations without a choice may be missing. */
  async all(): Promise<readonly VersionChoice[]> {
    return this.database.query<VersionChoice & Record<string, unknown>>(ALL);
  }

  /** The choice for an operation. Others that change it wait until the transaction ends. */
  async lock(tx: Queryable, operation: string): Promise<VersionChoice> {
    await tx.query(ADD, [operation]);
    const [row] = await tx.query<VersionChoice & Record<string, unknown>>(LOCK, [operation]);
    return row!;
  }

  /** Stores a choice, and notifies every process when the transaction commits. */
  async save(tx: Queryable, { operation, serving, previous, canary }: ChangedChoice): Promise<void> {
    const { version = null, percent = null, by = null } = canary ?? {};
    await tx.query(SAVE, [operation, serving, previous, version, percent, by]);
  }
}

/** As `VersionChoicesRepository.all`, for a worker that loads its models before its application exists. */
export async function versionChoices(databaseUrl: string): Promise<readonly VersionChoice[]> {
  try {
    return await withBriefConnection(
      databaseUrl,
      async (client) => (await client.query<VersionChoice>(ALL.text)).rows,
    );
  } catch (error) {
    if (isSchemaOld(error)) return [];
    throw error;
  }
}
