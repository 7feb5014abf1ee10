import { Inject, Injectable } from '@nestjs/common';
import type { SourceDto } from '../../common/resources/source.dto.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import {
  type Fingerprint,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { type Queryable } from '../../infra/database/database.js';
import type { ProbedImage } from '../../infra/image/containers/probe.js';
import { ObjectStore, type PendingObject } from '../../infra/storage/object-store.js';
import { storageFull } from '../../infra/storage/storage-fault.js';
import { newId } from '../../kernel/ids.js';
import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import type { Principal } from '../../kernel/principal.js';
import type { NewSource } from '../sources/sources.repository.js';
import { ImageProbe } from './image-probe.js';
import { tooLarge, type ReceivedFile, type ReceiveFile } from './received-file.js';
import { SourceRecords } from './source-records.js';
import { StorageFull, UploadQuota } from './upload-quota.js';
import { UnconfirmedCommit } from '../../infra/database/database-errors.js';

/** How a request handles the file that it sends. */
export interface IntakeRequest<T> {
  /** The `Idempotency-Key` header, if present. */
  readonly key: string | undefined;
  /** Identifies the request that the key belongs to. It may depend on the received file. */
  readonly fingerprint: (file: ReceivedFile) => Fingerprint;
  /** Runs first in the transaction, before storage is reserved. */
  readonly claim?: (tx: Queryable) => Promise<void>;
  /** Creates the response in the transaction that inserts the source. An error rolls both back. */
  readonly answer: (tx: Queryable, source: SourceDto) => Promise<T>;
}

/**
 * Creates a source from a file: writes the bytes to a pending object and then, in one transaction, the storage counter,
 * the source's row, and its events. A failure leaves nothing behind.
 */
@Injectable()
export class SourceIntake {
  constructor(
    private readonly records: SourceRecords,
    private readonly store: ObjectStore,
    private readonly quotas: UploadQuota,
    private readonly probe: ImageProbe,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Refuses a file that exceeds the storage, before it is read.
   * @param bytes its size, or a lower bound
   * @param beforeRefusal may throw instead, when the storage is full
   * @throws AppError `payload_too_large`, `quota_exceeded`, `service_unavailable`; whatever `beforeRefusal` throws
   */
  async refuseEarly(
    principal: Principal,
    bytes: number,
    key: string | undefined,
    beforeRefusal?: () => Promise<void>,
  ): Promise<void> {
    if (bytes > this.config.uploadMaxBytes) throw tooLarge(this.config.uploadMaxBytes);
    if ((await this.store.freeBytes()) < this.config.diskReserveBytes + bytes) throw storageFull();
    // The first request with this key may have filled the storage, and its response is still due.
    if (key !== undefined) return;
    await this.quotas.refuseIfFull(principal, Math.max(1, bytes), beforeRefusal);
  }

  /**
   * @param receiveFile streams the file
   * @throws AppError whatever `receiveFile` and `answer` throw; as ImageProbe; `quota_exceeded`, `idempotency_*`
   */
  async receive<T extends object>(
    principal: Principal,
    receiveFile: ReceiveFile,
    request: IntakeRequest<T>,
  ): Promise<IdempotentAnswer<T>> {
    const pending = await this.store.beginWrite();
    try {
      const file = await receiveFile((chunk) => pending.write(chunk));
      const probed = await this.probe.examine(await pending.seal(), principal.accountId);
      const source = newSource(principal.accountId, file, probed);
      return await this.keep(principal, pending, source, {
        ...request,
        fingerprint: () => request.fingerprint(file),
      });
    } finally {
      // After a commit there is nothing left to discard.
      await pending.discard();
    }
  }

  private async keep<T extends object>(
    principal: Principal,
    pending: PendingObject,
    source: NewSource,
    { key, fingerprint, claim, answer }: IntakeRequest<T> & { readonly fingerprint: () => Fingerprint },
  ): Promise<IdempotentAnswer<T>> {
    // Before the transaction: a row never exists without its bytes, and a slow store holds no connection.
    await pending.commit(source.objectKey);
    try {
      const kept = await this.idempotency.run(
        { accountId: principal.accountId, key, fingerprint: fingerprint() },
        async (tx) => {
          await claim?.(tx);
          await this.quotas.reserve(tx, principal, source.bytes);
          return answer(tx, await this.records.insert(tx, source));
        },
      );
      if (kept.replayed) await this.store.delete(source.objectKey).catch(() => undefined);
      return kept;
    } catch (error) {
      // The commit may have succeeded, and its row needs the bytes. If not, the orphan sweep deletes the object.
      if (!(error instanceof UnconfirmedCommit))
        await this.store.delete(source.objectKey).catch(() => undefined);
      throw error instanceof StorageFull ? await this.quotas.refusal(principal) : error;
    }
  }
}

function newSource(accountId: string, file: ReceivedFile, probed: ProbedImage): NewSource {
  const id = newId('source');
  return {
    id,
    accountId,
    objectKey: `sources/${id}.${IMAGE_EXTENSIONS[probed.format]}`,
    format: probed.format,
    width: probed.width,
    height: probed.height,
    bytes: file.bytes,
    sha256: file.sha256,
    name: file.name,
    hasAlpha: probed.hasAlpha,
    decodingBytes: probed.decodingBytes,
  };
}
