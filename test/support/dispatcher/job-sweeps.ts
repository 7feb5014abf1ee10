import { type Config } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { JobSweeps } from '../../../src/dispatcher/job-sweeps.js';
import { Database } from '../../../src/infra/database/database.js';
import { EnhanceQueue } from '../../../src/infra/queue/enhance-queue.js';
import { JobCompletion } from '../../../src/jobs/job-completion.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { ExpiredResults } from '../../../src/jobs/queue/expired-results.js';
import { JobLeaseRepository } from '../../../src/jobs/queue/job-lease.repository.js';
import { JobMessagesRepository } from '../../../src/jobs/queue/job-messages.repository.js';
import { LostJobs } from '../../../src/jobs/queue/lost-jobs.js';
import { LostMessages } from '../../../src/jobs/queue/lost-messages.js';
import { OverdueJobs } from '../../../src/jobs/queue/overdue-jobs.js';
import { OverdueJobsRepository } from '../../../src/jobs/queue/overdue-jobs.repository.js';
import { UnroutableJobs } from '../../../src/jobs/queue/unroutable-jobs.js';
import { UnroutableJobsRepository } from '../../../src/jobs/queue/unroutable-jobs.repository.js';
import type { Harness } from '../app/harness.js';

/** The job sweeps of a dispatcher on the database, queue and store of a harness, which runs no dispatcher. */
export function jobSweepsOf({ app }: Harness, changes: Partial<Config> = {}): JobSweeps {
  const config = { ...app.get<Config>(CONFIG), ...changes };
  const database = app.get(Database);
  const leases = app.get(JobLeaseRepository);
  const completion = app.get(JobCompletion);
  const messages = new LostMessages(app.get(JobMessagesRepository), app.get(EnhanceQueue));
  return new JobSweeps(
    new OverdueJobs(new OverdueJobsRepository(database), completion),
    new UnroutableJobs(new UnroutableJobsRepository(database), leases, completion, config),
    new LostJobs(leases, completion, messages, config),
    messages,
    new ExpiredResults(app.get(JobsRepository), completion),
  );
}
