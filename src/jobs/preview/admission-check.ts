import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { CallbackHosts } from '../../webhooks/callbacks/callback-hosts.js';
import type { NewJob } from '../creation/job-creation.repository.js';
import { JobDispatch } from '../creation/job-dispatch.js';

/** Rolls back a transaction that had to count in order to decide. Never reaches a client. */
class Undone extends Error {}

/** Checks whether a new job would be admitted now. Counts nothing and writes nothing. */
@Injectable()
export class AdmissionCheck {
  constructor(
    private readonly dispatch: JobDispatch,
    private readonly callbacks: CallbackHosts,
    private readonly database: Database,
  ) {}

  /** @throws AppError exactly what creating the job would throw for its callback, its rate, or a full queue */
  async check(
    principal: Principal,
    { sourcePixels, workPixels, callbackUrl }: NewJob,
    isCached: boolean,
  ): Promise<void> {
    const pixels = workPixels ?? sourcePixels;
    const admit = async (on: Queryable): Promise<void> => {
      if (callbackUrl !== null) await this.callbacks.prepare(on, principal.accountId, callbackUrl);
      if (isCached) return;
      await this.dispatch.admit(on, principal, pixels);
      this.dispatch.withdraw(principal, pixels);
    };
    if (!this.dispatch.isCounted(principal) && callbackUrl === null) return admit(this.database);
    try {
      await this.database.transaction(async (tx) => {
        await admit(tx);
        throw new Undone();
      });
    } catch (error) {
      if (!(error instanceof Undone)) throw error;
    }
  }
}
