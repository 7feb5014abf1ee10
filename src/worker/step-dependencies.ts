import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import type { Enhancer } from '../inference/enhancer.js';
import { EnhancerPool } from '../inference/enhancer-pool.js';
import { ImageDecoder } from '../infra/image/decoder/image-decoder.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { JobCompletion } from '../jobs/job-completion.service.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { SourcesRepository } from '../uploads/sources/sources.repository.js';

/** What a worker works with. */
@Injectable()
export class StepDependencies {
  constructor(
    readonly sources: SourcesRepository,
    readonly store: ObjectStore,
    readonly devices: EnhancerPool,
    readonly decoder: ImageDecoder,
    readonly completion: JobCompletion,
    readonly jobs: JobsRepository,
    @Inject(CONFIG) readonly config: Config,
  ) {}

  /** These tools for a job that is on a device. */
  on(enhancer: Enhancer): DeviceStepDependencies {
    return Object.assign(Object.create(this) as StepDependencies, { enhancer });
  }
}

/** What the steps of the pipeline work with: the same, and the device that the job is on. */
export interface DeviceStepDependencies extends StepDependencies {
  readonly enhancer: Enhancer;
}
