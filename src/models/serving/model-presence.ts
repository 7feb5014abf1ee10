import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Catalog, Refusal } from '../repository/catalog.js';
import type { OperationVersion } from '../repository/model-promise.js';
import type { ExitTurnsRepository } from './exit-turns.repository.js';
import { LastBatches } from './last-batches.js';
import { type WorkerLoad, workerLoad } from './worker-load.js';
import type { ChangingTraits, WorkerTraits } from './worker-traits.js';
import {
  type ModelWorker,
  ModelWorkersRepository,
  type OperatorRequests,
  WORKER_GONE_MS,
} from './model-workers.repository.js';

/** Details that may change while a worker serves the same models. */
export interface PresenceDetails {
  readonly lastBatches?: Pick<LastBatches, 'all'>;
  /** The kinds of jobs that this worker can be expected to run. Default: all of the catalog. */
  readonly expectedKinds?: () => readonly string[];
  /** Resources that the process uses now. Default: its memory. */
  readonly load?: () => Promise<WorkerLoad>;
  readonly traits?: WorkerTraits;
  /** Traits that may change, sent with the next heartbeat. An error leaves the last ones. */
  readonly changingTraits?: () => Promise<ChangingTraits>;
  /** Every version in its model repository. */
  readonly available?: readonly OperationVersion[];
  /** Called with each heartbeat. */
  readonly onRequests?: (requests: OperatorRequests) => void;
}

/** The kinds of a worker that can run nothing at present, because an empty list stands for an older worker. */
const NO_KINDS: readonly string[] = ['none'];

/** Announces what this worker serves, for as long as it does. */
@Injectable()
export class ModelPresence implements OnModuleDestroy, OnApplicationShutdown {
  /** Id of this process; never reused. */
  readonly workerId = `wrk_${randomUUID().replaceAll('-', '')}`;
  private readonly logger = new Logger('models');
  private lastBatches: Pick<LastBatches, 'all'> = new LastBatches();
  private expectedKinds: () => readonly string[] = () => this.worker?.kinds ?? [];
  private load: () => Promise<WorkerLoad> = () => workerLoad();
  private onRequests: (requests: OperatorRequests) => void = () => undefined;
  private changingTraits: () => Promise<ChangingTraits> = async () => ({});
  private changed: ChangingTraits = {};
  private reading: Promise<unknown> | undefined;
  private worker: ModelWorker | undefined;
  private isDraining = false;
  /** Whether the drain is recorded in the database. */
  private isDrainRecorded = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly workers: ModelWorkersRepository) {}

  /**
   * Announces that this worker takes jobs for the catalog's operations, unless it is already draining. An announcement
   * that fails is repeated with the next heartbeat.
   * @param details read for each heartbeat
   */
  async begin(catalog: Catalog, device: string, details: PresenceDetails = {}): Promise<void> {
    this.lastBatches = details.lastBatches ?? this.lastBatches;
    this.expectedKinds = details.expectedKinds ?? this.expectedKinds;
    this.load = details.load ?? this.load;
    this.onRequests = details.onRequests ?? this.onRequests;
    this.changingTraits = details.changingTraits ?? this.changingTraits;
    this.worker = {
      id: this.workerId,
      host: hostname(),
      pid: process.pid,
      device,
      operations: catalog.operations(),
      versions: catalog.loadedVersions(),
      canaries: catalog.canaryOperations(),
      shadows: catalog.shadowOperations(),
      kinds: catalog.kinds(),
      refusals: catalog.refusals,
      available: details.available ?? [],
      ...(details.traits && { traits: details.traits }),
    };
    this.readChanging();
    await this.noting(() => this.announce());
    this.timer = setInterval(() => void this.beat(), WORKER_GONE_MS / 4).unref();
  }

  /** Announces the current refusals and the content of the model repository, if they have changed. */
  async refuse(refusals: readonly Refusal[], available = this.worker?.available): Promise<void> {
    const { worker } = this;
    const isSame = (before?: object, now?: object): boolean => JSON.stringify(before) === JSON.stringify(now);
    if (worker === undefined) return;
    if (isSame(worker.refusals, refusals) && isSame(worker.available, available)) return;
    this.worker = { ...worker, refusals, ...(available && { available }) };
    await this.noting(() => this.announce());
  }

  /** Called first at shutdown, before running jobs are awaited. */
  async onModuleDestroy(): Promise<void> {
    await this.drain();
  }

  /** Withdraws the announcement. Retried until the database has recorded it. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.noting(() => this.recordDrain());
  }

  /**
   * Withdraws the announcement if enough other workers serve; see `ExitTurnsRepository`.
   * @returns whether it was withdrawn
   * @throws database errors
   */
  async requestExit(turns: Pick<ExitTurnsRepository, 'request'>, returnMs: number): Promise<boolean> {
    const mayExit = await turns.request(this.workerId, returnMs);
    if (mayExit) this.isDraining = this.isDrainRecorded = true;
    return mayExit;
  }

  /** Announces the worker again after `drain`. Retried until the database has recorded it. */
  async resume(): Promise<void> {
    this.isDraining = false;
    await this.noting(() => this.recordResume());
  }

  /** Sends a heartbeat now, because something has changed. */
  async beat(): Promise<void> {
    await this.noting(() => this.seen());
  }

  /** Kinds of jobs that only this worker can run. @throws database errors */
  async soleKinds(): Promise<readonly string[]> {
    return this.worker === undefined ? [] : this.workers.soleKinds(this.workerId, this.worker.kinds);
  }

  /** Called when no job runs any more. A database that did not record the drain is not asked again. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    if (this.isDrainRecorded) await this.noting(() => this.workers.end(this.workerId));
  }

  private async recordDrain(): Promise<void> {
    await this.workers.drain(this.workerId);
    this.isDrainRecorded = true;
  }

  private async recordResume(): Promise<void> {
    await this.workers.resume(this.workerId);
    this.isDrainRecorded = false;
    // A drain was requested in the meantime.
    if (this.isDraining) await this.recordDrain();
  }

  private async seen(): Promise<void> {
    if (this.isDraining && !this.isDrainRecorded) await this.recordDrain();
    if (!this.isDraining && this.isDrainRecorded) await this.recordResume();
    await this.announceKinds();
    this.readChanging();
    const load = await this.load();
    const requests = await this.workers.seen(this.workerId, this.lastBatches.all(), load, this.changed);
    if (requests === undefined) await this.announce();
    else this.onRequests(requests);
  }

  /** Not awaited, and never twice at a time: a disk that hangs must not stop the heartbeats. */
  private readChanging(): void {
    this.reading ??= this.changingTraits()
      .then(
        (changed) => (this.changed = changed),
        () => undefined,
      )
      .then(() => (this.reading = undefined));
  }

  private async announceKinds(): Promise<void> {
    const expected = this.expectedKinds();
    const kinds = expected.length === 0 ? NO_KINDS : expected;
    if (this.worker === undefined || kinds.join() === this.worker.kinds.join()) return;
    const worker = { ...this.worker, kinds };
    if (!this.isDraining) await this.workers.announce(worker);
    this.worker = worker;
  }

  private async announce(): Promise<void> {
    if (this.worker === undefined || this.isDraining) return;
    await this.workers.announce(this.worker);
    // A drain was requested in the meantime, when the row may not have existed yet.
    if (this.isDraining) await this.recordDrain();
  }

  /** Ignores errors while the database is unavailable, because the next heartbeat repeats everything. */
  private async noting(note: () => Promise<void>): Promise<void> {
    try {
      await note();
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'could not record what this worker serves');
    }
  }
}
