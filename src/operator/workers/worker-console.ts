import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-actions.js';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import type { Wanted } from '../../models/serving/wanted.js';
import { WorkerControlRepository } from '../../models/serving/worker-control.repository.js';
import type { WorkerDto, WorkerLogDto } from './worker.dto.js';
import { workerDto, workerStates } from './worker-states.js';

const ACTIONS: Readonly<Record<Wanted, AuditAction>> = {
  drain: 'worker.drained',
  serve: 'worker.resumed',
  restart: 'worker.restarted',
};

/** How long a worker may take to send its log, and the polling interval. */
const LOG_PATIENCE_MS = 4_000;
const LOG_LOOK_MS = 100;

/** Lists workers, and sends requests to single workers. For the API and `npm run admin`. */
@Injectable()
export class WorkerConsole {
  constructor(
    private readonly workers: ModelWorkersRepository,
    private readonly control: WorkerControlRepository,
    private readonly database: Database,
  ) {}

  async list(): Promise<WorkerDto[]> {
    return workerStates(await this.workers.all());
  }

  /**
   * Records a request to a worker, which reacts at once or with its next heartbeat. Idempotent. A change is recorded in
   * the audit log.
   * @throws AppError `not_found`, or `worker_gone`
   */
  async want(id: string, wanted: Wanted): Promise<WorkerDto> {
    await this.database.transaction(async (tx) => {
      const found = await this.control.want(tx, id, wanted);
      if (found === undefined) throw unknownWorker();
      if (!found.alive) throw goneWorker();
      if (found.changed)
        await auditLog.record(tx, { action: ACTIONS[wanted], accountId: null, targetId: id });
    });
    const worker = (await this.workers.all()).find((each) => each.id === id);
    if (worker === undefined) throw unknownWorker();
    return workerDto(worker);
  }

  /**
   * The last log lines of a worker. If the worker does not respond, the lines that it sent earlier.
   * @throws AppError `not_found`
   */
  async log(id: string, lines: number): Promise<WorkerLogDto> {
    const asked = await this.control.askForLog(id);
    if (asked === undefined) throw unknownWorker();
    const end = performance.now() + (asked.alive ? LOG_PATIENCE_MS : 0);
    for (;;) {
      const sent = await this.control.readLog(id);
      const current = sent !== undefined && sent.sentAt > asked.at;
      if (current || performance.now() >= end)
        return {
          lines: sent?.lines.slice(-lines) ?? [],
          sentAt: sent?.sentAt.toISOString() ?? null,
          current,
        };
      await sleep(LOG_LOOK_MS);
    }
  }
}

const unknownWorker = (): AppError =>
  new AppError('not_found', {
    detail: 'There is no worker with this id. Workers are forgotten after a day.',
  });

const goneWorker = (): AppError =>
  new AppError('worker_gone', {
    detail: 'The worker has not sent a heartbeat for 45 seconds. Nothing was changed.',
  });
