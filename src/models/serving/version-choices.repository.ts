import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { isSchemaOld, withBriefConnection } from './brief-connection.js';
import { MODELS_CHANGED } from './model-workers.repository.js';
import type { RequestedCanary, RequestedShadow, VersionChoice } from '../repository/version-choice.js';

/** Notifies every process that an operator chose other versions. */
export const CHOICES_CHANGED = 'model_choices_changed';

const COLUMNS = `operation, serving, previous, CASE WHEN canary_version IS NOT NULL THEN jsonb_build_object(
  'version', canary_version, 'percent', canary_percent, 'by', canary_by, 'since', canary_since) END AS canary,
  CASE WHEN shadow_version IS NOT NULL THEN jsonb_build_object(
  'version', shadow_version, 'percent', shadow_percent, 'since', shadow_since) END AS shadow`;

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
                                      ELSE now() END,
                  shadow_version = $7, shadow_percent = $8,
                  shadow_since = CASE WHEN $7::int IS NULL THEN NULL
                                      WHEN shadow_version = $7::int THEN shadow_since
                                      ELSE now() END
            WHERE operation = $1
           RETURNING operation)
         SELECT pg_notify('${CHOICES_CHANGED}', operation), pg_notify('${MODELS_CHANGED}', operation) FROM written`,
};

/** The figures of a shadow exist as long as the shadow. */
const KEEP_FIGURES: Prepared = {
  name: 'model_choice_keep_figures',
  text: `WITH shadow AS (
           SELECT operation, shadow_since, shadow_version, serving FROM model_choices
            WHERE operation = $1 AND shadow_since IS NOT NULL),
         ended AS (
           DELETE FROM model_shadow_figures f
            WHERE f.operation = $1 AND NOT EXISTS (SELECT FROM shadow s WHERE s.shadow_since = f.since))
         INSERT INTO model_shadow_figures (operation, since, version, serving)
         SELECT operation, shadow_since, shadow_version, serving FROM shadow ON CONFLICT DO NOTHING`,
};

/** A choice without the fields that the database sets. */
export interface ChangedChoice extends Omit<VersionChoice, 'canary' | 'shadow'> {
  readonly canary: RequestedCanary | null;
  readonly shadow: RequestedShadow | null;
}

/** The versions that operators chose. They belong to the service, not to an account. */
@Injectable()
export class VersionChoicesRepository {
  constructor(private readonly database: Database) {}

  /** The choices by operation. Operations without a choice may be missing. */
  async all(): Promise<readonly VersionChoice[]> {
    return this.database.query<VersionChoice>(ALL);
  }

  /** The choice for an operation. Concurrent changes wait until the transaction ends. */
  async lock(tx: Queryable, operation: string): Promise<VersionChoice> {
    await tx.query(ADD, [operation]);
    const [row] = await tx.query<VersionChoice>(LOCK, [operation]);
    return row!;
  }

  /** Stores a choice, and notifies every process when the transaction commits. */
  async save(tx: Queryable, { operation, serving, previous, canary, shadow }: ChangedChoice): Promise<void> {
    const { version = null, percent = null, by = null } = canary ?? {};
    const shadowed = [shadow?.version ?? null, shadow?.percent ?? null];
    await tx.query(SAVE, [operation, serving, previous, version, percent, by, ...shadowed]);
    await tx.query(KEEP_FIGURES, [operation]);
  }
}

/** Like `VersionChoicesRepository.all`, for a worker that loads its models before its application exists. */
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
