import { Injectable } from '@nestjs/common';
import { Catalog } from '../catalog/catalog.js';
import type { ModelRoute } from '../catalog/model-route.js';
import { JobLeaseRepository } from '../jobs/job-lease.repository.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import { ModelPresence } from '../serving/model-presence.js';

/** Decides which model of this worker runs a job. */
@Injectable()
export class RouteChoice {
  constructor(
    private readonly catalog: Catalog,
    private readonly presence: ModelPresence,
    private readonly leases: JobLeaseRepository,
  ) {}

  /**
   * The route that keeps to what the job was promised. While models are exchanged another worker may have it and this
   * one not: then the job is left to that one.
   * @returns null when the job was put back, undefined when nobody can run it
   */
  async forJob(job: JobWithSource): Promise<ModelRoute | null | undefined> {
    const { operation, promise } = job;
    const route = this.catalog.routeFor(operation, job.level, promise);
    if (route !== undefined || promise === null) return route;
    if (!(await this.presence.isServedElsewhere({ operation, version: promise.version }))) return undefined;
    await this.leases.forgetMessage(job.id);
    return null;
  }
}
