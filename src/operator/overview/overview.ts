import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { sharedRead } from '../../infra/telemetry/shared-read.js';
import { type QueuedWork, QueueWorkRepository } from '../../jobs/queue/queue-work.repository.js';
import {
  type KnownModelWorker,
  ModelWorkersRepository,
} from '../../models/serving/model-workers.repository.js';
import { BacklogRepository } from '../../webhooks/dispatch/backlog.repository.js';
import { gpuFigures } from './gpu-figures.js';
import type { OperationLoadDto, OverviewDto, WorkerFiguresDto } from './overview.dto.js';
import { OverviewRepository, RECENT_MINUTES, type RecentJobs } from './overview.repository.js';

const NO_JOBS = { jobs: 0, failed: 0, p50Ms: null, p99Ms: null } as const;

/** The current load of the whole service. Reveals nothing about the data of customers. */
@Injectable()
export class Overview {
  private readonly freeBytes = sharedRead(() => this.store.freeBytes());

  constructor(
    private readonly figures: OverviewRepository,
    private readonly queue: QueueWorkRepository,
    private readonly workers: ModelWorkersRepository,
    private readonly backlog: BacklogRepository,
    private readonly store: ObjectStore,
  ) {}

  /** @throws database errors. The disk is null if it cannot be read. */
  async read(): Promise<OverviewDto> {
    const [recent, queued, workers, webhooks, database, freeBytes] = await Promise.all([
      this.figures.recentJobs(),
      this.queue.queued(),
      this.workers.all(),
      this.backlog.read(),
      this.figures.figures(),
      this.freeBytes(),
    ]);
    const { jobs, failed, p50Ms, p99Ms } = recent.find(({ operation }) => operation === null) ?? NO_JOBS;
    return {
      at: new Date().toISOString(),
      jobs: { perMinute: jobs / RECENT_MINUTES, ended: jobs, failed, p50Ms, p99Ms },
      operations: operationsOf(recent, queued),
      workers: workers.filter(({ alive }) => alive).map(workerFigures),
      disk: { freeBytes: freeBytes ?? null },
      database,
      webhooks,
    };
  }
}

function operationsOf(recent: readonly RecentJobs[], queued: readonly QueuedWork[]): OperationLoadDto[] {
  const names = new Set([
    ...recent.flatMap(({ operation }) => operation ?? []),
    ...queued.map((work) => work.operation),
  ]);
  return [...names].toSorted().map((operation) => {
    const waiting = queued.filter((work) => work.operation === operation);
    const { jobs, failed, p50Ms, p99Ms } = recent.find((each) => each.operation === operation) ?? NO_JOBS;
    return {
      operation,
      queued: waiting.reduce((sum, work) => sum + work.jobs, 0),
      oldestWaitSeconds: Math.max(0, ...waiting.map((work) => work.oldestSeconds)),
      ended: jobs,
      failed,
      p50Ms,
      p99Ms,
    };
  });
}

function workerFigures({ id, host, device, state, load, ...worker }: KnownModelWorker): WorkerFiguresDto {
  return {
    id,
    host,
    device,
    state,
    operations: worker.operations.map(({ operation, model }) => `${operation}@${model.version}`),
    memoryBytes: load?.memoryBytes ?? null,
    gpus: gpuFigures(load),
    startedAt: worker.startedAt.toISOString(),
    seenAt: worker.seenAt.toISOString(),
  };
}
