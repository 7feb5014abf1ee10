import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { loadCatalog } from '../../catalog/load-catalog.js';
import { Enhancer } from '../../inference/enhancer.js';
import { EnhanceConsumer } from '../../worker/enhance-consumer.js';
import type { RoleSettings } from '../role/role-settings.js';
import type { RunningRole } from '../role/run-role.js';
import { WorkerModule } from './worker.module.js';

/** Exit code after the device thread died: the supervisor starts a new process, leases bring the jobs back. */
const EXIT_DEVICE_LOST = 70;
/** Exit code when nothing comes from the queue any more; likewise. */
const EXIT_QUEUE_LOST = 1;

/** Loads the models, then begins to take jobs. */
export async function startWorker(settings: RoleSettings, logger: LoggerService): Promise<RunningRole> {
  const { config } = settings;
  const catalog = await loadCatalog(config.modelsDir);
  for (const refusal of catalog.refusals) logger.warn(refusal, 'model version refused', 'catalog');
  const enhancer = await Enhancer.start({
    catalog,
    device: config.inferenceDevice,
    threads: config.inferenceThreads,
    onDeath: (error) => {
      logger.fatal?.({ error: String(error) }, 'the device thread died', 'worker');
      process.exit(EXIT_DEVICE_LOST);
    },
  });
  const app = await NestFactory.createApplicationContext(WorkerModule.for(settings, enhancer), {
    logger,
    abortOnError: false,
  });
  await app.get(EnhanceConsumer).begin(() => process.exit(EXIT_QUEUE_LOST));
  void warm(enhancer, logger);
  return { app, details: { device: enhancer.device }, afterClose: () => enhancer.close() };
}

/** Only once jobs are taken: they go first. */
async function warm(enhancer: Enhancer, logger: LoggerService): Promise<void> {
  for (const sentence of await enhancer.warm()) logger.error(sentence, undefined, 'worker');
}
