import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { UnfinishedJobsRepository } from '../jobs/queue/unfinished-jobs.repository.js';
import { OFFER_REFRESH_MS } from '../models/serving/available-operations.js';
import { ModelPresence } from '../models/serving/model-presence.js';
import { isPinnedKind } from '../models/repository/work-kind.js';
import { JobAdmission } from './admission/job-admission.js';
import { EnhanceConsumer } from './enhance-consumer.js';

const LOOK_MS = 1_000;
/** An api that missed the notification may promise the old models for this long. */
const QUIET_MS = OFFER_REFRESH_MS + 1_000;

/**
 * What a worker does between its successor's start and its own end. Usually the successor can run every waiting job.
 * When it cannot load a version that jobs were promised, because the files are damaged or removed, this worker runs
 * only those jobs, from memory, and then ends, even if an operator had drained it.
 */
@Injectable()
export class WorkerRetirement {
  private readonly logger = new Logger('models');
  private readonly ended = new AbortController();

  constructor(
    private readonly presence: ModelPresence,
    private readonly admission: JobAdmission,
    private readonly jobs: UnfinishedJobsRepository,
    private readonly consumer: EnhanceConsumer,
  ) {}

  /** Resolves when no job needs this worker anymore, or `end` was called. */
  async run(): Promise<void> {
    let quietSinceMs: number | undefined;
    let isToldOf = false;
    await this.presence.drain();
    while (!this.ended.signal.aborted) {
      const waiting = await this.look();
      if (waiting !== undefined) {
        const { kinds, jobs } = waiting;
        if (kinds.length === 0) break;
        if (jobs > 0 && !isToldOf) {
          this.logger.warn(
            { kinds, jobs },
            'this worker was replaced; it stays for jobs that only it can run',
          );
          isToldOf = true;
        }
        quietSinceMs = jobs > 0 ? undefined : (quietSinceMs ?? performance.now());
        if (quietSinceMs !== undefined && performance.now() - quietSinceMs >= QUIET_MS) break;
      }
      await sleep(LOOK_MS, undefined, { signal: this.ended.signal }).catch(() => undefined);
    }
  }

  /** The process ends for another reason. */
  end(): void {
    this.ended.abort();
  }

  /** Kinds that only this worker can run; those of pinned versions only while there are such jobs. */
  private async waitedKinds(): Promise<readonly string[]> {
    const kinds = await this.presence.soleKinds();
    const pinned = kinds.filter(isPinnedKind);
    const isPinWaited = pinned.length > 0 && (await this.jobs.count(pinned)) > 0;
    return isPinWaited ? kinds : kinds.filter((kind) => !isPinnedKind(kind));
  }

  /** Undefined when the database does not answer: then nothing is known, and the worker stays. */
  private async look(): Promise<{ kinds: readonly string[]; jobs: number } | undefined> {
    try {
      const kinds = await this.waitedKinds();
      this.admission.limitTo(kinds);
      // A worker that an operator drained is paused, but nobody else can run these jobs.
      if (kinds.length > 0) this.consumer.resumeTaking();
      return { kinds, jobs: kinds.length === 0 ? 0 : await this.jobs.count(kinds) };
    } catch (error) {
      this.logger.warn({ error: String(error) }, 'jobs that only this worker can run could not be looked up');
      return undefined;
    }
  }
}
