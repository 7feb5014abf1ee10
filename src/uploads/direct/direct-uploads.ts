import type { ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import type { SourceDto } from '../../common/resources/source.dto.js';
import { ObjectStore, type OpenObject } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import { isId, newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { cleanFileName } from '../receiving/file-name.js';
import { type ReceivedFile, type WriteChunk, writeStream } from '../receiving/received-file.js';
import { SourceIntake } from '../receiving/source-intake.js';
import { UploadSlots } from '../receiving/upload-slots.js';
import { SourcesService } from '../sources/sources.service.js';
import type { CreateDirectUploadDto, DirectUploadDto } from './direct-upload.dto.js';
import { type DirectUpload, DirectUploadsRepository, MAX_OPEN_UPLOADS } from './direct-uploads.repository.js';

/** Long enough for 20 MB over a slow line. */
const LIFE_MS = 900_000;
const RETRY_AFTER_SECONDS = 60;

/** Rolls back the transaction of a request whose upload was completed or deleted meanwhile. Never reaches a client. */
class CompletedBefore extends Error {}

/**
 * Uploads that do not pass through the api: the client sends the file to the object store and then completes the
 * upload. The file is read, checked, and stored like any other: what a client sends to its URL afterward has no
 * effect.
 */
@Injectable()
export class DirectUploads {
  private readonly logger = new Logger('uploads');

  constructor(
    private readonly repository: DirectUploadsRepository,
    private readonly intake: SourceIntake,
    private readonly slots: UploadSlots,
    private readonly sources: SourcesService,
    private readonly store: ObjectStore,
  ) {}

  /** @throws AppError `feature_disabled`, `payload_too_large`, `quota_exceeded`, `too_many_uploads` */
  async create(principal: Principal, dto: CreateDirectUploadDto): Promise<DirectUploadDto> {
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + LIFE_MS);
    const id = newId('directUpload');
    const { bytes, sha256 = null } = dto;
    const link = { sizeBytes: bytes, expiresAt: Math.floor(expiresAt.getTime() / 1_000) };
    const address = await this.store.directUploadUrl(keyOf(id), link);
    if (address === undefined) throw disabled();
    await this.intake.refuseEarly(principal, bytes, undefined);
    const upload = { id, bytes, sha256, name: cleanFileName(dto.fileName), createdAt, expiresAt };
    if (!(await this.repository.insert(principal.accountId, upload))) throw tooMany();
    return {
      id,
      method: 'PUT',
      uploadUrl: address.url,
      headers: { ...address.headers },
      expiresAt: expiresAt.toISOString(),
    };
  }

  /**
   * Creates a source from the file at the store. A completed upload returns the same source again.
   * @param response tells when the client disconnects
   * @throws AppError `not_found`, `gone`, `upload_incomplete`, `too_many_uploads`; as SourceIntake
   */
  async complete(principal: Principal, id: string, response: ServerResponse): Promise<SourceDto> {
    const { accountId } = principal;
    const upload = isId('directUpload', id) ? await this.repository.find(accountId, id) : undefined;
    if (upload === undefined)
      throw new AppError('not_found', { detail: `There is no upload "${id}" in your account.` });
    if (upload.sourceId !== null) return this.sources.get(accountId, upload.sourceId);
    if (upload.isExpired) throw expired(id);
    const releaseSlot = await this.slots.take(principal, response);
    try {
      return await this.keep(principal, upload);
    } finally {
      releaseSlot();
    }
  }

  private async keep(principal: Principal, upload: DirectUpload): Promise<SourceDto> {
    const { accountId } = principal;
    try {
      await this.intake.refuseEarly(principal, upload.bytes, undefined, () =>
        this.requireOpen(accountId, upload.id),
      );
      const { body } = await this.intake.receive(principal, (write) => this.receive(upload, write), {
        key: undefined,
        fingerprint: () => upload.id,
        // Before storage is reserved: the source of the request that has won may leave no room for another one.
        claim: async (tx) => {
          if (!(await this.repository.claim(tx, accountId, upload.id))) throw new CompletedBefore();
        },
        answer: async (tx, source) => {
          await this.repository.complete(tx, accountId, upload.id, source.id);
          return source;
        },
      });
      await this.store.delete(keyOf(upload.id)).catch((error: unknown) => {
        this.logger.warn({ error: String(error) }, 'the sweep will delete the file of a completed upload');
      });
      return body;
    } catch (error) {
      // Another request may also have deleted the file at the store before this one read it.
      const mayBeCompleted =
        error instanceof CompletedBefore || (error instanceof AppError && error.code === 'upload_incomplete');
      const now = mayBeCompleted ? await this.repository.find(accountId, upload.id) : undefined;
      if (typeof now?.sourceId === 'string') return this.sources.get(accountId, now.sourceId);
      // It expired, and was deleted, while its file was read.
      throw error instanceof CompletedBefore ? expired(upload.id) : error;
    }
  }

  /** @throws CompletedBefore when the upload was completed or deleted since it was read */
  private async requireOpen(accountId: string, id: string): Promise<void> {
    const now = await this.repository.find(accountId, id);
    if (now === undefined || now.sourceId !== null) throw new CompletedBefore();
  }

  /** @throws AppError `upload_incomplete` unless the file is what the client declared */
  private async receive({ id, bytes, sha256, name }: DirectUpload, write: WriteChunk): Promise<ReceivedFile> {
    const { stream, sizeBytes } = await this.open(id);
    try {
      if (sizeBytes !== bytes)
        throw incomplete(`The file is ${sizeBytes} bytes, but the upload was created for ${bytes} bytes.`);
      const file = await writeStream(stream as AsyncIterable<Buffer>, bytes, write);
      if (sha256 !== null && file.sha256 !== sha256)
        throw incomplete(
          `The SHA-256 of the file is ${file.sha256}, but the upload was created with ${sha256}.`,
        );
      return { ...file, name };
    } finally {
      stream.on('error', () => undefined);
      stream.destroy();
    }
  }

  private async open(id: string): Promise<OpenObject> {
    try {
      return await this.store.open(keyOf(id));
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') throw incomplete('There is no file yet.');
      throw error;
    }
  }
}

function keyOf(id: string): string {
  return `incoming/${id}`;
}

function expired(id: string): AppError {
  return new AppError('gone', { detail: `The upload "${id}" has expired. Create another one.` });
}

function incomplete(what: string): AppError {
  return new AppError('upload_incomplete', {
    detail: `${what} Send the file to the \`uploadUrl\` of the upload, then complete it again.`,
  });
}

function disabled(): AppError {
  return new AppError('feature_disabled', {
    detail:
      'This service has no object store that clients can reach, so there are no direct uploads. Use POST /api/ai/upload.',
  });
}

function tooMany(): AppError {
  return new AppError('too_many_uploads', {
    detail: `Your account has ${MAX_OPEN_UPLOADS} open direct uploads, which is the limit. Complete some of them, or wait until they expire.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
