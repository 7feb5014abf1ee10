import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Refusal } from '../repository/catalog.js';
import type { CatalogOperation } from '../repository/described-versions.js';
import type { OperationVersion } from '../repository/model-promise.js';
import type { BatchesByOperation } from './last-batches.js';
import type { Wanted } from './wanted.js';
import type { WorkerLoad } from './worker-load.js';
import type { WorkerTraits } from './worker-traits.js';

/** `draining`: takes no new jobs. */
export type ModelWorkerState = 'serving' | 'draining';

/** One worker process and its loaded models. */
@Entity('model_workers')
export class ModelWorkerEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  host: string;

  @Column('integer')
  pid: number;

  @Column('text')
  device: string;

  /** What it serves, in the API's format. */
  @Column('jsonb')
  operations: readonly CatalogOperation[];

  /** Every version that it can run: the serving ones, and earlier ones that unfinished jobs were promised. */
  @Column('jsonb')
  versions: readonly OperationVersion[];

  /** Every version in its model repository, valid or not; empty for workers of older versions. */
  @Column('jsonb', { default: () => `'[]'` })
  available: readonly OperationVersion[];

  /** The versions that it gives a share of new jobs, in the API's format; empty for workers of older versions. */
  @Column('jsonb', { default: () => `'[]'` })
  canaries: readonly CatalogOperation[];

  /** The versions that it runs finished jobs on once more, in the API's format; empty for workers of older versions. */
  @Column('jsonb', { default: () => `'[]'` })
  shadows: readonly CatalogOperation[];

  /** The kinds of jobs that it can run, see `workKind`; empty for older workers, which do not report them. */
  @Column('text', { array: true, default: () => `'{}'` })
  kinds: readonly string[];

  /** Versions that it refuses, with the reason. */
  @Column('jsonb')
  refusals: readonly Refusal[];

  @Column('jsonb', { name: 'last_batches', default: () => `'{}'` })
  lastBatches: BatchesByOperation;

  /** Resource use of the process and its GPUs, from the newest heartbeat; null for workers of older versions. */
  @Column('jsonb', { nullable: true })
  load: WorkerLoad | null;

  /** `ended`: the process has shut down. */
  @Column('text')
  state: ModelWorkerState | 'ended';

  /** What an operator requested. */
  @Column('text', { default: 'serve' })
  wanted: Wanted;

  @Column('timestamptz', { name: 'wanted_at', nullable: true })
  wantedAt: Date | null;

  /** What it reports about itself; empty for workers of older versions. */
  @Column('jsonb', { default: () => `'{}'` })
  traits: Partial<WorkerTraits>;

  /** When it stopped taking jobs; null while it takes jobs, and for workers of older versions. */
  @Column('timestamptz', { name: 'left_at', nullable: true })
  leftAt: Date | null;

  @Column('timestamptz', { name: 'started_at', default: () => 'now()' })
  startedAt: Date;

  @Column('timestamptz', { name: 'seen_at', default: () => 'now()' })
  seenAt: Date;
}
