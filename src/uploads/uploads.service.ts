import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../idempotency/idempotency.service.js';
import { CommitUnheard } from '../infra/database/database.js';
import type { ProbedImage } from '../infra/image/containers/probe.js';
import { ObjectStore, type PendingObject } from '../infra/storage/object-store.js';
import { storageFull } from '../infra/storage/storage-fault.js';
import { newId } from '../kernel/ids.js';
import { IMAGE_EXTENSIONS } from '../kernel/operations.js';
import type { Principal } from '../kernel/principal.js';
import { writeEvent } from '../webhooks/events/outbox.js';
import { receiveMultipartFile, tooLarge, type ReceivedFile } from './receiving/multipart-file.js';
import { ImageProbe } from './receiving/image-probe.js';
import { SourcePresenter } from './sources/source-presenter.js';
import type { SourceDto } from '../common/resources/source.dto.js';
import type { SourceEntity } from './sources/source.entity.js';
import { SourcesRepository } from './sources/sources.repository.js';
import { StorageFull, UploadQuota } from './receiving/upload-quota.js';
import { UploadSlots } from './receiving/upload-slots.js';

/** Head room for the multipart framing when a declared length is judged before the body is read. */
const FRAMING_BYTES = 64 * 1024;

@Injectable()
export class UploadsService {
  constructor(
    private readonly sources: SourcesRepository,
    private readonly presenter: SourcePresenter,
    private readonly store: ObjectStore,
    private readonly quotas: UploadQuota,
    private readonly slots: UploadSlots,
    private readonly probe: ImageProbe,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Receives a file, looks at its header and keeps it: bytes to a temporary object, then, in one
   * transaction, storage, source row and events. Whatever goes wrong, nothing is left behind.
   * @throws AppError `too_many_uploads` before anything is read
   */
  async upload(
    principal: Principal,
    request: IncomingMessage,
    idempotencyKey: string | undefined,
  ): Promise<IdempotentAnswer<SourceDto>> {
    const releaseSlot = await this.slots.take(principal, request);
    try {
      await this.refuseEarly(principal, request, idempotencyKey);
      return await this.receive(principal, request, idempotencyKey);
    } finally {
      releaseSlot();
    }
  }

  private async receive(
    principal: Principal,
    request: IncomingMessage,
    idempotencyKey: string | undefined,
  ): Promise<IdempotentAnswer<SourceDto>> {
    const pending = await this.store.beginWrite();
    try {
      const limits = {
        maxBytes: this.config.uploadMaxBytes,
        maxFramingBytes: FRAMING_BYTES,
        idleTimeoutMs: this.config.uploadIdleTimeoutMs,
        minProgressBytes: this.config.uploadMinProgressBytes,
      };
      const file = await receiveMultipartFile(request, limits, (chunk) => pending.write(chunk));
      const probed = await this.probe.examine(await pending.seal());
      return await this.keep(
        principal,
        pending,
        newSource(principal.accountId, file, probed),
        idempotencyKey,
      );
    } finally {
      // After a commit there is nothing left to discard.
      await pending.discard();
    }
  }

  private async refuseEarly(
    principal: Principal,
    request: IncomingMessage,
    idempotencyKey: string | undefined,
  ): Promise<void> {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > this.config.uploadMaxBytes + FRAMING_BYTES) throw tooLarge(this.config.uploadMaxBytes);
    if ((await this.store.freeBytes()) < this.config.diskReserveBytes + declared) throw storageFull();
    // What fills the storage may be the first answer to this very key, and that is still owed.
    if (idempotencyKey !== undefined) return;
    await this.quotas.refuseIfFull(principal, Math.max(1, declared - FRAMING_BYTES));
  }

  private async keep(
    principal: Principal,
    pending: PendingObject,
    source: NewSource,
    key: string | undefined,
  ): Promise<IdempotentAnswer<SourceDto>> {
    const fingerprint = fingerprintOf('POST /api/ai/upload', { sha256: source.sha256 });
    // Before the transaction: a row never stands without its bytes, and a slow store holds no connection.
    await pending.commit(source.objectKey);
    try {
      const answer = await this.idempotency.run(
        { accountId: principal.accountId, key, fingerprint },
        async (tx) => {
          await this.quotas.reserve(tx, principal, source.bytes);
          await this.sources.insert(tx, source);
          const dto = this.presenter.present(source);
          const { accountId, createdAt: at } = source;
          await writeEvent(tx, { accountId, type: 'image.uploaded', data: { upload: dto }, at });
          return dto;
        },
      );
      if (answer.replayed) await this.store.delete(source.objectKey).catch(() => undefined);
      return answer;
    } catch (error) {
      // An unheard commit may stand, and its row needs its bytes. If it does not, the house keeper finds the object.
      if (!(error instanceof CommitUnheard)) await this.store.delete(source.objectKey).catch(() => undefined);
      throw error instanceof StorageFull ? await this.quotas.refusal(principal) : error;
    }
  }
}

type NewSource = Omit<SourceEntity, 'deletedAt'>;

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
    createdAt: new Date(),
  };
}
