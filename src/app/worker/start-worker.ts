import type { INestApplicationContext, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Config } from '../../config/env.js';
import { settingsInForce } from '../../config/settings-in-force.js';
import { EnhancerPool, type PoolDevice } from '../../inference/enhancer-pool.js';
import { configuredTriton } from '../../inference/engines/triton/configured-triton.js';
import type { InferenceObserver } from '../../inference/inference-observer.js';
import { Notifications } from '../../infra/database/notifications.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { Scratch } from '../../infra/storage/scratch.js';
import { DiskMetrics } from '../../infra/telemetry/disk-metrics.js';
import { GpuMetrics } from '../../infra/telemetry/gpu/gpu-metrics.js';
import { readGpuUsage } from '../../infra/telemetry/gpu/gpu-usage.js';
import { InferenceMetrics } from '../../infra/telemetry/inference-metrics.js';
import type { NestLogger } from '../../infra/telemetry/logger.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { BatchSpans } from '../../infra/telemetry/tracing/batch-spans.js';
import { UnroutableJobsRepository } from '../../jobs/queue/unroutable-jobs.repository.js';
import { LastBatches } from '../../models/serving/last-batches.js';
import { WORKER_GONE_MS } from '../../models/serving/model-workers.repository.js';
import { ModelPresence } from '../../models/serving/model-presence.js';
import { promisedVersions } from '../../models/serving/promised-versions.js';
import { VersionChoicesRepository } from '../../models/serving/version-choices.repository.js';
import type { WorkerTraits } from '../../models/serving/worker-traits.js';
import { workerLoad } from '../../models/serving/worker-load.js';
import { EnhanceConsumer } from '../../worker/enhance-consumer.js';
import { VersionComparisons } from '../../worker/comparison/version-comparisons.js';
import { LEASE_OWNER } from '../../worker/lease-token.js';
import { ShadowRuns } from '../../worker/shadow/shadow-runs.js';
import { RunnableJobs } from '../../worker/admission/runnable-jobs.js';
import { WorkerControl } from '../../worker/worker-control.js';
import { WorkerRetirement } from '../../worker/worker-retirement.js';
import { type StorageState, WorkerStorage } from '../../worker/admission/worker-storage.js';
import { exitAfterRuns } from '../../inference/device/threads/exit-after-runs.js';
import { isSuccessor, onSupervisorMessage, sendToSupervisor } from '../../roles/role-channel.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import type { RunningRole } from '../role/run-role.js';
import { roleTracing } from '../role/role-tracing.js';
import { serveMetrics } from '../role/serve-metrics.js';
import type { VersionChoice } from '../../models/repository/version-choice.js';
import { versionsIn } from '../../models/repository/load-catalog.js';
import { decideTakeover, servingStateOf } from '../../models/swap/takeover/decide-takeover.js';
import { loadModels } from '../../models/swap/load-models.js';
import { VERSION } from '../../kernel/version.js';
import { mirroredModels, modelsWarning, watchRemoteModels } from '../../models/mirror/mirrored-models.js';
import { ModelSwap } from '../../models/swap/model-swap.js';
import type { UnservedJobs } from '../../models/swap/promises/owed-versions.js';
import { UnservedPromises } from '../../models/swap/promises/unserved-promises.js';
import { ExitTurnsRepository } from '../../models/serving/exit-turns.repository.js';
import { Replacement } from '../../models/swap/takeover/replacement.js';
import { DeviceLoss } from './device-loss.js';
import { WorkerModule } from './worker.module.js';

/** Exit code when the queue stops delivering jobs. The supervisor starts a new process, and returns the jobs. */
const EXIT_QUEUE_LOST = 1;

/** Loads the models, then takes jobs and watches for new models. */
export async function startWorker(settings: RoleSettings, logger: NestLogger): Promise<RunningRole> {
  const { config } = settings;
  const metrics = new Metrics('worker');
  const inference = new InferenceMetrics(metrics);
  const lastBatches = new LastBatches();
  const tracing = await roleTracing(settings);
  const batchSpans = new BatchSpans(tracing);
  const loss = new DeviceLoss(logger);
  const start = (catalog: Parameters<typeof EnhancerPool.start>[0]['catalog']) =>
    EnhancerPool.start({
      catalog,
      devices: devicesOf(config),
      threads: config.inferenceThreads,
      streams: config.inferenceStreams,
      precision: config.precision,
      runTimeoutMs: config.inferenceTimeoutMs,
      largestBatch: config.inferenceMaxBatch === 0 ? null : config.inferenceMaxBatch,
      triton: configuredTriton(config),
      observer: observedBy(inference, lastBatches, batchSpans, logger),
      onDeath: (error) => loss.occurred(error),
    });
  const mirror = await mirroredModels(config, modelsWarning(logger));
  const models = await loadModels(settings, logger, start);
  const { catalog, devices, choices, verdicts, runTrial } = models;
  await decideTakeover(models, logger);
  lastBatches.hide(
    catalog.shadows.map(({ manifest, version }) => ({ operation: manifest.operation, version })),
  );
  const app = await NestFactory.createApplicationContext(
    WorkerModule.for(settings, { catalog, devices, metrics, tracing }),
    {
      logger,
      abortOnError: false,
    },
  );
  inference.runsOn(devices.device);
  // The previous process still runs all jobs. Without a warm-up, the first jobs in this process would be slow.
  if (isSuccessor()) await warm(devices, inference, logger);
  const onChoices = (chosen: readonly VersionChoice[]): void => {
    app.get(RunnableJobs).choose(chosen);
    app.get(ShadowRuns).choose(chosen);
  };
  onChoices(choices);
  await sendToSupervisor({ type: 'leases', owner: LEASE_OWNER });
  // Before the queue, which may keep this process waiting: monitoring sees why, and a liveness check passes.
  let isStarted = false;
  const storage = app.get(WorkerStorage);
  const scratch = app.get(Scratch);
  const disks = [
    { disk: 'scratch', freeBytes: async () => (await scratch.space()).freeBytes },
    { disk: 'objects', freeBytes: () => app.get(ObjectStore).freeBytes() },
  ];
  void new DiskMetrics(metrics, disks);
  void new GpuMetrics(metrics);
  const metricsServer = serveMetrics('worker', metrics, logger, {
    host: config.workerHost,
    port: config.workerPort,
    token: config.metricsToken,
    notReady: async () => (isStarted ? diskFault(() => storage.state()) : 'starting'),
  });
  const consumer = app.get(EnhanceConsumer);
  await consumer.connect();
  const presence = app.get(ModelPresence);
  // From this moment, the API may accept jobs for these models.
  const expectedKinds = () => app.get(RunnableJobs).expectedKinds();
  const control = app.get(WorkerControl);
  let swap: ModelSwap | undefined;
  await presence.begin(catalog, devices.device, {
    lastBatches,
    expectedKinds,
    load: () => workerLoad(readGpuUsage, () => consumer.load()),
    traits: workerTraits(devices),
    changingTraits: async () => ({ scratchBytes: await app.get(WorkerStorage).scratchCapacityBytes() }),
    available: await versionsIn(config.modelsDir),
    onRequests: (requests) => {
      control.obey(requests.wanted);
      swap?.obey(requests.chosen);
    },
  });
  control.begin(logger.tail);
  app.get(VersionComparisons).begin();
  // The announcement does not include memory and jobs, so a heartbeat follows at once.
  void presence.beat();
  const replacement = new Replacement({
    how: config.modelSwap,
    requestExit: () => presence.requestExit(app.get(ExitTurnsRepository), config.modelSwapTimeoutMs),
    logger,
  });
  swap = new ModelSwap(
    {
      modelsDir: config.modelsDir,
      pollMs: config.modelsPollMs,
      loaded: catalog,
      choices,
      readChoices: () => app.get(VersionChoicesRepository).all(),
      onChoices,
      verdicts,
      runTrial,
      onSwap: (_, isWanted) => replacement.ask(isWanted),
      updateModels: mirror && (() => mirror.update()),
      logger,
    },
    presence,
  );
  await swap.begin(app.get(Notifications));
  const promises = new UnservedPromises({
    modelsDir: config.modelsDir,
    loaded: catalog,
    verdicts,
    readUnserved: () => unservedJobs(app, settings),
    onOwed: (isOwed) => replacement.ask(isOwed),
    logger,
  });
  promises.begin(app.get(Notifications));
  const endMirror = mirror === undefined ? undefined : watchRemoteModels(mirror, config);
  const retirement = app.get(WorkerRetirement);
  const retire = async (): Promise<void> => {
    control.end();
    // The successor needs the port and watches the models from now on.
    void metricsServer?.close();
    swap?.end();
    promises.end();
    replacement.end();
    endMirror?.();
    await Promise.all([app.get(ShadowRuns).stop(), app.get(VersionComparisons).stop()]);
    await retirement.run();
    process.kill(process.pid, 'SIGTERM');
  };
  onSupervisorMessage((message) => {
    if (message.type === 'stays') {
      void swap?.stay(message.reason);
      promises.stay(message.reason);
    }
    if (message.type === 'retire') void retire();
  });
  // Until now, a lost device or SIGTERM would end the process without a drain, which may count an attempt of its jobs.
  consumer.begin(() => void exitAfterRuns(EXIT_QUEUE_LOST));
  isStarted = true;
  loss.ready();
  // Not awaited, because jobs have priority over the warm-up.
  if (!isSuccessor()) void warm(devices, inference, logger);
  return {
    app,
    details: { device: devices.device, precision: devices.precision },
    standing: servingStateOf(models),
    canRetire: true,
    beforeClose: async () => {
      loss.ending();
      retirement.end();
      metricsServer?.drain();
      consumer.stopTaking();
      swap?.end();
      promises.end();
      replacement.end();
      endMirror?.();
    },
    afterClose: async () => {
      await metricsServer?.close();
      await devices.close();
    },
    exitCode: () => loss.exitCode ?? replacement.exitCode,
  };
}

function observedBy(
  inference: InferenceMetrics,
  lastBatches: LastBatches,
  batchSpans: BatchSpans,
  logger: LoggerService,
): InferenceObserver {
  return {
    onRun: (run) => {
      inference.onRun(run);
      lastBatches.onRun(run);
    },
    onLowered: (stage) =>
      logger.warn(
        stage,
        'batches of this stage are smaller, because the device lacks memory; a larger size is tried every ten minutes',
        'worker',
      ),
    onWait: (...wait) => inference.onWait(...wait),
    onSent: () => inference.onSent(),
    origin: () => batchSpans.origin(),
    onBatch: (batch) => batchSpans.record(batch),
  };
}

async function unservedJobs(
  app: INestApplicationContext,
  { databaseUrl }: RoleSettings,
): Promise<UnservedJobs> {
  const kinds = await app.get(UnroutableJobsRepository).kinds(WORKER_GONE_MS);
  return { kinds, promised: kinds.length === 0 ? [] : await promisedVersions(databaseUrl) };
}

function workerTraits({ precision }: EnhancerPool): WorkerTraits {
  return {
    version: VERSION,
    precision,
    supervised: process.send !== undefined,
    settings: settingsInForce().filter(({ source }) => source !== 'default'),
  };
}

/** The disk problem that stops this worker from taking jobs. */
async function diskFault(storageState: () => Promise<StorageState>): Promise<string | undefined> {
  const { storage, freeBytes, cause } = await storageState();
  if (storage === 'ok') return undefined;
  const space = freeBytes === undefined ? [] : [`${freeBytes} bytes free`];
  return [`storage: ${storage}`, ...space, ...(cause === undefined ? [] : [cause])].join(', ');
}

function devicesOf({ inferenceDevice, inferenceDevices }: Config): readonly PoolDevice[] {
  if (inferenceDevices === undefined) return [{ device: inferenceDevice }];
  return inferenceDevices.map(({ provider, index }) => ({ device: provider, index }));
}

async function warm(
  devices: EnhancerPool,
  inference: InferenceMetrics,
  logger: LoggerService,
): Promise<void> {
  for (const sentence of await devices.warm()) logger.error(sentence, 'worker');
  inference.isWarm();
}
