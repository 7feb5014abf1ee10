import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CatalogOperation, Refusal } from '../repository/catalog.js';
import type { OperationVersion } from '../repository/model-promise.js';
import type { BatchesByOperation } from './last-batches.js';

/** `draining`: takes nothing new. */
export type ModelWorkerState = 'serving' | 'draining';

/** One worker process and the models it has in memory. */
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

  /** What it serves, as the API describes it. */
  @Column('jsonb')
  operations: readonly CatalogOperation[];

  /** Every version it can run: those, and earlier ones that unfinished jobs were promised. */
  @Column('jsonb')
  versions: readonly OperationVersion[];

  /** The kinds of jobs it can run, see `workKind`; empty: it does not say, from before they were told. */
  @Column('text', { array: true, default: () => `'{}'` })
  kinds: readonly string[];

  /** Versions it has passed over, with the reason. */
  @Column('jsonb')
  refusals: readonly Refusal[];

  @Column('jsonb', { name: 'last_batches', default: () => `'{}'` })
  lastBatches: BatchesByOperation;

  @Column('text')
  state: ModelWorkerState;

  @Column('timestamptz', { name: 'started_at', default: () => 'now()' })
  startedAt: Date;

  @Column('timestamptz', { name: 'seen_at', default: () => 'now()' })
  seenAt: Date;
}
