import { Module, type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CoreModule } from '../../app/role/core.module.js';
import type { Config } from '../../config/env.js';
import { BatchesModule } from '../../jobs/batches/batches.module.js';
import { JobsModule } from '../../jobs/jobs.module.js';
import type { RerunDto } from '../../operator/failed-jobs/failed-job.dto.js';
import { FailedJobsRepository } from '../../operator/failed-jobs/failed-jobs.repository.js';
import { JobReruns } from '../../operator/failed-jobs/job-reruns.js';
import { type RoleSettings, roleSettings } from '../../roles/role-settings.js';

/** The parts of the api that create jobs, without HTTP. */
@Module({})
class JobRerunModule {
  static for(settings: RoleSettings): DynamicModule {
    return {
      module: JobRerunModule,
      imports: [CoreModule.for(settings), JobsModule, BatchesModule],
      providers: [FailedJobsRepository, JobReruns],
    };
  }
}

/**
 * Runs a failed job again, like the console. A worker of the running service picks up the new job.
 * @throws AppError the errors of `JobReruns`
 */
export async function rerunJob(config: Config, databaseUrl: string, jobId: string): Promise<RerunDto> {
  const settings = await roleSettings('api', { ...config, databaseUrl });
  const app = await NestFactory.createApplicationContext(JobRerunModule.for(settings), {
    logger: ['error', 'fatal'],
    abortOnError: false,
  });
  try {
    return await app.get(JobReruns).run(jobId);
  } finally {
    await app.close();
  }
}
