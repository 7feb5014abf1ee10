import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Catalog } from '../../models/repository/catalog.js';
import { EnhancerPool } from '../../inference/enhancer-pool.js';
import { ImageCodecs } from '../../infra/image/image-codecs.js';
import { QueueModule } from '../../infra/queue/queue.module.js';
import { JobMetrics } from '../../infra/telemetry/job-metrics.js';
import type { Metrics } from '../../infra/telemetry/metrics.js';
import type { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { Scratch } from '../../infra/storage/scratch.js';
import { JobCoreModule } from '../../jobs/job-core.module.js';
import { QueueWorkRepository } from '../../jobs/queue/queue-work.repository.js';
import { UnfinishedJobsRepository } from '../../jobs/queue/unfinished-jobs.repository.js';
import { AbleWorkersRepository } from '../../jobs/queue/able-workers.repository.js';
import { UnroutableJobsRepository } from '../../jobs/queue/unroutable-jobs.repository.js';
import { ModelPresence } from '../../models/serving/model-presence.js';
import { ServingModule } from '../../models/serving/serving.module.js';
import { SourceEntity } from '../../uploads/sources/source.entity.js';
import { SourcesRepository } from '../../uploads/sources/sources.repository.js';
import { JobAdmission } from '../../worker/admission/job-admission.js';
import { OversizedJobs } from '../../worker/admission/oversized-jobs.js';
import { JobCandidates } from '../../worker/admission/job-candidates.js';
import { EnhanceConsumer } from '../../worker/enhance-consumer.js';
import { JobRunner } from '../../worker/job-runner.js';
import { JobRequeuer } from '../../worker/job-requeuer.js';
import { LeaseKeeper } from '../../worker/lease-keeper.js';
import { WorkerStorage } from '../../worker/admission/worker-storage.js';
import { WorkerControl } from '../../worker/worker-control.js';
import { WorkerRetirement } from '../../worker/worker-retirement.js';
import { ProcessingTimeMeter } from '../../worker/processing-time-meter.js';
import { RunnableJobs } from '../../worker/admission/runnable-jobs.js';
import { JobPipeline } from '../../worker/job-pipeline.js';
import { JobSettlement } from '../../worker/job-settlement.js';
import { ServerWaits } from '../../worker/server-waits.js';
import { ComparisonRun } from '../../worker/comparison/comparison-run.js';
import { VersionComparisons } from '../../worker/comparison/version-comparisons.js';
import { VersionComparisonsRepository } from '../../models/serving/comparisons/version-comparisons.repository.js';
import { ModelComparison } from '../../worker/shadow/model-comparison.js';
import { ShadowRecorder } from '../../worker/shadow/shadow-recorder.js';
import { ShadowRuns } from '../../worker/shadow/shadow-runs.js';
import { StoredResults } from '../../worker/stored-results.js';
import { CoreModule } from '../role/core.module.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import { workerCodecs } from './worker-codecs.js';

/** The parts that are created before the application, because models take time to load. */
export interface WorkerParts {
  readonly catalog: Catalog;
  readonly devices: EnhancerPool;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** The worker role: takes job ids, writes result pixels, uses one accelerator. */
@Module({})
export class WorkerModule {
  static for(settings: RoleSettings, { catalog, devices, metrics, tracing }: WorkerParts): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        CoreModule.for(settings, { catalog, metrics, tracing }),
        JobCoreModule,
        QueueModule,
        ServingModule,
        TypeOrmModule.forFeature([SourceEntity]),
      ],
      providers: [
        { provide: EnhancerPool, useValue: devices },
        SourcesRepository,
        LeaseKeeper,
        ModelPresence,
        { provide: Scratch, useFactory: () => Scratch.open(settings.scratchDir) },
        {
          provide: ImageCodecs,
          inject: [Scratch],
          useFactory: (scratch: Scratch) => workerCodecs(settings, scratch),
        },
        { provide: JobMetrics, useFactory: () => new JobMetrics(metrics) },
        QueueWorkRepository,
        UnfinishedJobsRepository,
        UnroutableJobsRepository,
        ProcessingTimeMeter,
        WorkerStorage,
        JobRequeuer,
        RunnableJobs,
        JobCandidates,
        AbleWorkersRepository,
        OversizedJobs,
        JobAdmission,
        StoredResults,
        JobPipeline,
        ServerWaits,
        JobSettlement,
        JobRunner,
        ModelComparison,
        ShadowRecorder,
        ShadowRuns,
        VersionComparisonsRepository,
        ComparisonRun,
        VersionComparisons,
        EnhanceConsumer,
        WorkerRetirement,
        WorkerControl,
      ],
    };
  }
}
