import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { Compatibility } from '../config/variables/compat-env.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { BackgroundRemoval } from './background-removal.js';
import { EphemeralJobs } from './ephemeral-jobs.js';
import { RembgController } from './rembg/rembg.controller.js';
import { BodyMemory } from './removebg/body-memory.js';
import { RemoveBgController } from './removebg/removebg.controller.js';
import { RemoveBgFilter } from './removebg/removebg.filter.js';
import { RemoveBgRequests } from './removebg/removebg-request.js';

const CONTROLLERS: Readonly<Record<Compatibility, Type>> = {
  removebg: RemoveBgController,
  rembg: RembgController,
};

/** Routes of other services, for their existing clients. Disabled routes respond with 404. */
@Module({})
export class CompatModule {
  static for(compat: readonly Compatibility[]): DynamicModule {
    return {
      module: CompatModule,
      imports: [JobsModule, QuotasModule, UploadsModule],
      controllers: compat.map((name) => CONTROLLERS[name]),
      providers: [BackgroundRemoval, BodyMemory, EphemeralJobs, RemoveBgFilter, RemoveBgRequests],
    };
  }
}
