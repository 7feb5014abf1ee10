import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import type { Enhancer } from '../inference/enhancer.js';
import { EnhancerPool } from '../inference/enhancer-pool.js';
import { ImageDecoder } from '../infra/image/decoder/image-decoder.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { JobEndings } from '../jobs/job-endings.service.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { SourcesRepository } from '../uploads/sources.repository.js';

/** What a worker works with. */
@Injectable()
export class Tools {
  constructor(
    readonly sources: SourcesRepository,
    readonly store: ObjectStore,
    readonly devices: EnhancerPool,
    readonly decoder: ImageDecoder,
    readonly endings: JobEndings,
    readonly jobs: JobsRepository,
    @Inject(CONFIG) readonly config: Config,
  ) {}

  /** These tools for a job that is on a device. */
  on(enhancer: Enhancer): StepTools {
    return Object.assign(Object.create(this) as Tools, { enhancer });
  }
}

/** What the steps of the pipeline work with: the same, and the device that the job is on. */
export interface StepTools extends Tools {
  readonly enhancer: Enhancer;
}
