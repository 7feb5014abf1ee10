import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Enhancer } from '../inference/enhancer.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { JobEndings } from '../jobs/job-endings.service.js';
import { JobsRepository } from '../jobs/jobs.repository.js';
import { SourcesRepository } from '../uploads/sources.repository.js';

/** What the steps of the pipeline work with. */
@Injectable()
export class Tools {
  constructor(
    readonly sources: SourcesRepository,
    readonly store: ObjectStore,
    readonly enhancer: Enhancer,
    readonly endings: JobEndings,
    readonly jobs: JobsRepository,
    @Inject(CONFIG) readonly config: Config,
  ) {}
}
