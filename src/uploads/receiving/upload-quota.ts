import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import type { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasRepository } from '../../quotas/quotas.repository.js';
import { QuotasService } from '../../quotas/quotas.service.js';

/** Rolls back the transaction of an upload that has no room. Never reaches a client. */
export class StorageFull extends Error {}

/** Reserves storage of the account for uploads. */
@Injectable()
export class UploadQuota {
  constructor(
    private readonly quotas: QuotasService,
    private readonly counters: QuotasRepository,
  ) {}

  /**
   * Spares a client from sending a file that has no room.
   * @param beforeRefusal may throw instead
   * @throws AppError `quota_exceeded`; whatever `beforeRefusal` throws
   */
  async refuseIfFull(
    principal: Principal,
    bytes: number,
    beforeRefusal?: () => Promise<void>,
  ): Promise<void> {
    if (await this.quotas.hasStorageFor(principal, bytes)) return;
    await beforeRefusal?.();
    throw await this.refusal(principal);
  }

  /** @throws StorageFull when the bytes would pass the limit */
  async reserve(tx: Queryable, principal: Principal, bytes: number): Promise<void> {
    const { accountId, limits } = principal;
    if (!(await this.counters.reserveStorage(tx, accountId, bytes, limits.storageBytes)))
      throw new StorageFull();
  }

  async refusal(principal: Principal): Promise<AppError> {
    return this.quotas.refuse(principal, 'storage');
  }
}
