import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Catalog, Refusal } from '../repository/catalog.js';
import { LastBatches } from './last-batches.js';
import { type ModelWorker, ModelWorkersRepository, WORKER_GONE_MS } from './model-workers.repository.js';

/** Tells everybody what this worker serves, for as long as it does. */
@Injectable()
export class ModelPresence implements OnModuleDestroy, OnApplicationShutdown {
  /** Of this process; never used again. */
  readonly workerId = `wrk_${randomUUID().replaceAll('-', '')}`;
  private readonly logger = new Logger('models');
  private lastBatches: Pick<LastBatches, 'all'> = new LastBatches();
  private worker: ModelWorker | undefined;
  private isDraining = false;
  /** Whether the database knows it. */
  private isDrainRecorded = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly workers: ModelWorkersRepository) {}

  /**
   * From now on this worker takes jobs of what the catalogue serves, unless it drains already.
   * @param lastBatches told with each sign of life
   */
  async begin(catalog: Catalog, device: string, lastBatches = this.lastBatches): Promise<void> {
    this.lastBatches = lastBatches;
    this.worker = {
      id: this.workerId,
      host: hostname(),
      pid: process.pid,
      device,
      operations: catalog.operations(),
      versions: catalog.loadedVersions(),
      kinds: catalog.kinds(),
      refusals: catalog.refusals,
    };
    await this.announce();
    this.timer = setInterval(() => void this.noting(() => this.seen()), WORKER_GONE_MS / 4).unref();
  }

  /** Tells what is refused now, when that has changed. */
  async refuse(refusals: readonly Refusal[]): Promise<void> {
    const { worker } = this;
    if (worker === undefined || JSON.stringify(worker.refusals) === JSON.stringify(refusals)) return;
    this.worker = { ...worker, refusals };
    await this.noting(() => this.announce());
  }

  /** The first thing at shutdown, before jobs in hand are waited for. */
  async onModuleDestroy(): Promise<void> {
    await this.drain();
  }

  /** Nothing more may be promised by this worker from now on. Repeated until the database has noted it. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.noting(() => this.recordDrain());
  }

  /** Kinds of jobs that this worker can run and no other serving worker. @throws what the database throws */
  async soleKinds(): Promise<readonly string[]> {
    return this.worker === undefined ? [] : this.workers.soleKinds(this.workerId, this.worker.kinds);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async recordDrain(): Promise<void> {
    await this.workers.drain(this.workerId);
    this.isDrainRecorded = true;
  }

  private async seen(): Promise<void> {
    if (this.isDraining && !this.isDrainRecorded) await this.recordDrain();
    if (!(await this.workers.seen(this.workerId, this.lastBatches.all()))) await this.announce();
  }

  private async announce(): Promise<void> {
    if (this.worker === undefined || this.isDraining) return;
    await this.workers.announce(this.worker);
    // Asked for meanwhile: there may have been no row yet.
    if (this.isDraining) await this.recordDrain();
  }

  /** The database may be away: the next note says it all again. */
  private async noting(note: () => Promise<void>): Promise<void> {
    try {
      await note();
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not record what this worker serves');
    }
  }
}
