import { Injectable } from '@nestjs/common';
import type { Refusal } from '../repository/catalog.js';
import type { CatalogOperation } from '../repository/described-versions.js';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { OperationVersion } from '../repository/model-promise.js';
import { type FailedVersion, withEarlierRefusals } from './earlier-refusals.js';
import type { BatchesByOperation } from './last-batches.js';
import type { ModelWorkerState } from './model-worker.entity.js';
import type { Wanted } from './wanted.js';
import type { WorkerLoad } from './worker-load.js';
import type { ChangingTraits, WorkerTraits } from './worker-traits.js';

/** Notifies every process when a worker starts or stops serving something. */
export const MODELS_CHANGED = 'models_changed';

/** A worker without a heartbeat for this long is considered dead. */
export const WORKER_GONE_MS = 45_000;

/** The state of a worker whose process has shut down. */
const ENDED = 'ended';

/** Whether a row of `model_workers` has a recent heartbeat, and its process has not shut down since. */
export const IS_ALIVE = `(state <> '${ENDED}' AND seen_at > now() - interval '${WORKER_GONE_MS} milliseconds')`;

const ANNOUNCE: Prepared = {
  name: 'model_worker_announce',
  text: `WITH forgotten AS (
           DELETE FROM model_workers WHERE seen_at < now() - interval '1 day'),
         written AS (
           INSERT INTO model_workers (id, host, pid, device, operations, versions, refusals, available, canaries, shadows,
                                      kinds, traits, state)
           VALUES ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::jsonb, $8::jsonb, $9::jsonb, $10::jsonb, $11::text[],
                   $12::jsonb, 'serving')
           ON CONFLICT (id) DO UPDATE SET refusals = excluded.refusals, available = excluded.available,
                                          kinds = excluded.kinds, seen_at = now()
           RETURNING id)
         SELECT pg_notify('${MODELS_CHANGED}', id) FROM written`,
};

/** A heartbeat does not recreate a deleted row; only the next announcement does. */
const SEEN: Prepared = {
  name: 'model_worker_seen',
  text: `UPDATE model_workers SET seen_at = now(), last_batches = $2::jsonb, load = $3::jsonb,
                                 traits = traits || $4::jsonb
          WHERE id = $1
         RETURNING wanted, ARRAY(
           SELECT c.name FROM model_choices, LATERAL (VALUES
             (1, operation || '/' || serving), (2, operation || '/' || canary_version || ' canary'),
             (3, operation || '/' || shadow_version || ' shadow ' || shadow_percent)) AS c (n, name)
            WHERE c.name IS NOT NULL ORDER BY operation, c.n) AS chosen`,
};

const BATCHES: Prepared = {
  name: 'model_worker_batches',
  text: `SELECT device, last_batches AS "lastBatches" FROM model_workers
          WHERE last_batches <> '{}'::jsonb ORDER BY seen_at DESC LIMIT 1000`,
};

export const SET_STATE: Prepared = {
  name: 'model_worker_set_state',
  text: `WITH written AS (
           UPDATE model_workers
              SET state = $2, seen_at = now(), left_at = CASE WHEN $2 = 'draining' THEN coalesce(left_at, now()) END
            WHERE id = $1 AND state <> '${ENDED}' RETURNING id)
         SELECT pg_notify('${MODELS_CHANGED}', id) FROM written`,
};

/** Leaves `seen_at`, from which the service measures how long no worker could run a kind of job. */
const END: Prepared = {
  name: 'model_worker_end',
  text: `WITH written AS (UPDATE model_workers SET state = '${ENDED}' WHERE id = $1 RETURNING id)
         SELECT pg_notify('${MODELS_CHANGED}', id) FROM written`,
};

/** Kinds that no other serving worker has. An older worker (`{}`) is assumed to run everything. */
const SOLE_KINDS: Prepared = {
  name: 'model_worker_sole_kinds',
  text: `SELECT k.kind FROM unnest($2::text[]) AS k (kind)
          WHERE NOT EXISTS (
            SELECT 1 FROM model_workers
             WHERE id <> $1 AND state = 'serving' AND ${IS_ALIVE}
               AND (kinds = '{}' OR k.kind = ANY (kinds)))`,
};

const COLUMNS = `id, host, pid, device, operations, versions, refusals, available, canaries, shadows, kinds,
  CASE state WHEN '${ENDED}' THEN 'draining' ELSE state END AS state, wanted, wanted_at AS "wantedAt", traits, load,
  started_at AS "startedAt", seen_at AS "seenAt", ${IS_ALIVE} AS alive`;

const ALL: Prepared = {
  name: 'model_workers_all',
  text: `SELECT ${COLUMNS} FROM model_workers ORDER BY seen_at DESC LIMIT 1000`,
};

/** Versions without a successful trial on any device, with any files. */
const FAILED: Prepared = {
  name: 'model_versions_failed',
  text: `SELECT operation, version, (array_agg(reason ORDER BY found_at DESC))[1] AS reason FROM model_verdicts
          GROUP BY operation, version HAVING bool_and(reason IS NOT NULL)`,
};

export interface ModelWorker {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly device: string;
  readonly operations: readonly CatalogOperation[];
  readonly versions: readonly OperationVersion[];
  readonly refusals: readonly Refusal[];
  /** Every version in its model repository, valid or not; empty for workers of older versions. */
  readonly available?: readonly OperationVersion[];
  /** Versions that run a share of new jobs, in the API's format; empty for workers of older versions. */
  readonly canaries?: readonly CatalogOperation[];
  /** Versions that run finished jobs again, in the API's format; empty for workers of older versions. */
  readonly shadows?: readonly CatalogOperation[];
  /** The kinds of jobs that the worker can run; see `workKind`. */
  readonly kinds: readonly string[];
  /** Empty for workers of older versions. */
  readonly traits?: Partial<WorkerTraits>;
}

export interface KnownModelWorker extends ModelWorker {
  readonly available: readonly OperationVersion[];
  readonly canaries: readonly CatalogOperation[];
  readonly shadows: readonly CatalogOperation[];
  /** `draining` if the process has shut down, which `alive` shows. */
  readonly state: ModelWorkerState;
  readonly wanted: Wanted;
  readonly wantedAt: Date | null;
  readonly traits: Partial<WorkerTraits>;
  /** Null for workers of older versions, and before the first heartbeat. */
  readonly load: WorkerLoad | null;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Whether the worker has a recent heartbeat, and its process has not shut down since. */
  readonly alive: boolean;
}

/** The requests of operators at the time of a heartbeat. */
export interface OperatorRequests {
  /** The state requested for this worker. */
  readonly wanted: Wanted;
  /** The versions that operators chose, by operation; see `namesOf`. */
  readonly chosen: readonly string[];
}

/** The most recent runs of one worker, and its device. */
export interface WorkerBatches {
  readonly device: string;
  readonly lastBatches: BatchesByOperation;
}

/** Which worker serves which models. Not limited to an account. */
@Injectable()
export class ModelWorkersRepository {
  constructor(private readonly database: Database) {}

  /** Stores what a worker now serves and refuses. */
  async announce(worker: ModelWorker): Promise<void> {
    const {
      id,
      host,
      pid,
      device,
      operations,
      versions,
      refusals,
      available = [],
      canaries = [],
      shadows = [],
      kinds,
      traits = {},
    } = worker;
    const json = [operations, versions, refusals, available, canaries, shadows].map((value) =>
      JSON.stringify(value),
    );
    await this.database.query(ANNOUNCE, [id, host, pid, device, ...json, kinds, JSON.stringify(traits)]);
  }

  /**
   * Stores a heartbeat, the worker's most recent runs, its resource use and traits that may have changed.
   * @returns undefined when the worker's row no longer exists
   */
  async seen(
    id: string,
    lastBatches: BatchesByOperation,
    load: WorkerLoad,
    changed: ChangingTraits = {},
  ): Promise<OperatorRequests | undefined> {
    const values = [id, JSON.stringify(lastBatches), JSON.stringify(load), JSON.stringify(changed)];
    return (await this.database.query<OperatorRequests>(SEEN, values))[0];
  }

  /** The batches of every worker that reported some, including workers that stopped since yesterday. */
  async batches(): Promise<WorkerBatches[]> {
    return this.database.query<WorkerBatches>(BATCHES);
  }

  /** Records that the worker serves nothing from now on. */
  async drain(id: string): Promise<void> {
    await this.setState(id, 'draining');
  }

  /** Records that the worker serves again. */
  async resume(id: string): Promise<void> {
    await this.setState(id, 'serving');
  }

  /** Records that the worker's process shuts down, so that nobody waits until its heartbeat is too old. */
  async end(id: string): Promise<void> {
    await this.database.query(END, [id]);
  }

  /** The given kinds of jobs that no other serving worker can run. */
  async soleKinds(id: string, kinds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.query<{ kind: string }>(SOLE_KINDS, [id, kinds]);
    return rows.map(({ kind }) => kind);
  }

  /** All workers, the most recent heartbeat first. */
  async all(): Promise<KnownModelWorker[]> {
    return this.database.query<KnownModelWorker>(ALL);
  }

  /** All workers. Their refusals include those of earlier workers, for deciding which versions may be chosen. */
  async allWithEarlierRefusals(): Promise<KnownModelWorker[]> {
    const [workers, failed] = await Promise.all([this.all(), this.database.query<FailedVersion>(FAILED)]);
    return withEarlierRefusals(workers, failed);
  }

  private async setState(id: string, state: ModelWorkerState): Promise<void> {
    await this.database.query(SET_STATE, [id, state]);
  }
}
