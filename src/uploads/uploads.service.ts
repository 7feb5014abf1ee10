import type { IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { goneSignal } from '../common/requests/gone-signal.js';
import type { SourceDto } from '../common/resources/source.dto.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import {
  type Fingerprint,
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../idempotency/idempotency.service.js';
import type { Queryable } from '../infra/database/database.js';
import { AppError } from '../kernel/app-error.js';
import type { Principal } from '../kernel/principal.js';
import {
  type FormShape,
  missingFile,
  type MultipartLimits,
  receiveForm,
} from './receiving/multipart-form.js';
import type { ReceivedFile } from './receiving/received-file.js';
import { SourceIntake } from './receiving/source-intake.js';
import { UploadSlots } from './receiving/upload-slots.js';
import { type FetchedFile, UrlFetch } from './receiving/url-fetch.js';

/** Allowance for the multipart framing when a declared length is checked before the body is read. */
const FRAMING_BYTES = 64 * 1024;

/** One file and nothing else. */
const FILE_ALONE: FormShape = { fileField: 'file', maxFields: 0, maxFieldBytes: 0 };

const FINGERPRINTED = 'POST /api/ai/upload';

/** A form with a file. */
export interface UploadForm<F, T> {
  readonly shape: FormShape;
  /** Reads the fields when the file has arrived. An error refuses the form. */
  readonly read: (fields: ReadonlyMap<string, string>) => Promise<F>;
  /** Identifies the request that an `Idempotency-Key` belongs to. */
  readonly fingerprint: (file: ReceivedFile, fields: F) => Fingerprint;
  /** Creates the response in the transaction that inserts the source. An error rolls both back. */
  readonly answer: (tx: Queryable, source: SourceDto, fields: F) => Promise<T>;
}

@Injectable()
export class UploadsService {
  private readonly limits: MultipartLimits;

  constructor(
    private readonly intake: SourceIntake,
    private readonly slots: UploadSlots,
    private readonly urls: UrlFetch,
    private readonly idempotency: IdempotencyService,
    @Inject(CONFIG) config: Config,
  ) {
    this.limits = {
      maxBytes: config.uploadMaxBytes,
      maxFramingBytes: FRAMING_BYTES,
      idleTimeoutMs: config.uploadIdleTimeoutMs,
      minProgressBytes: config.uploadMinProgressBytes,
    };
  }

  /**
   * Creates a source from a multipart body with one part.
   * @throws AppError `too_many_uploads` before anything is read; as SourceIntake
   */
  upload(
    principal: Principal,
    request: IncomingMessage,
    key: string | undefined,
  ): Promise<IdempotentAnswer<SourceDto>> {
    return this.uploadForm(principal, request, key, {
      shape: FILE_ALONE,
      read: async () => undefined,
      fingerprint: ({ sha256 }) => fingerprintOf(FINGERPRINTED, { sha256 }),
      answer: async (_tx, source) => source,
    });
  }

  /**
   * Creates a source from a form, and in the same transaction whatever else the form requests.
   * @throws AppError `too_many_uploads` before anything is read; as SourceIntake and the form
   */
  async uploadForm<F, T extends object>(
    principal: Principal,
    request: IncomingMessage,
    key: string | undefined,
    form: UploadForm<F, T>,
  ): Promise<IdempotentAnswer<T>> {
    const releaseSlot = await this.slots.take(principal, request);
    try {
      const declared = Number(request.headers['content-length'] ?? 0);
      await this.intake.refuseEarly(principal, Math.max(0, declared - FRAMING_BYTES), key);
      let fields: F;
      return await this.intake.receive(
        principal,
        async (write) => {
          const received = await receiveForm(request, this.limits, form.shape, write);
          if (received.file === undefined) throw missingFile(form.shape);
          fields = await form.read(received.fields);
          return received.file;
        },
        {
          key,
          fingerprint: (file) => form.fingerprint(file, fields),
          answer: (tx, source) => form.answer(tx, source, fields),
        },
      );
    } finally {
      releaseSlot();
    }
  }

  /**
   * Creates a source from the file at a URL. A replayed request is answered without a fetch.
   * @param response closes when the client disconnects
   * @throws AppError `too_many_uploads` before anything is fetched; as UrlFetch and SourceIntake
   */
  async uploadFromUrl(
    principal: Principal,
    url: string,
    response: ServerResponse,
    key: string | undefined,
  ): Promise<IdempotentAnswer<SourceDto>> {
    this.urls.check(url, 'url');
    const { accountId } = principal;
    const fingerprint = fingerprintOf(FINGERPRINTED, { url });
    const known = await this.idempotency.find<SourceDto>({ accountId, key, fingerprint });
    if (known !== undefined) return known;
    const gone = goneSignal(response);
    const releaseSlot = await this.slots.take(principal, response);
    let fetched: FetchedFile | undefined;
    try {
      await this.intake.refuseEarly(principal, 0, key);
      return await this.intake.receive(
        principal,
        async (write): Promise<ReceivedFile> => (fetched = await this.urls.receive(url, 'url', gone, write)),
        { key, fingerprint: () => fingerprint, answer: async (_tx, source) => source },
      );
    } catch (error) {
      throw fetched === undefined ? error : explained(error, fetched);
    } finally {
      releaseSlot();
    }
  }
}

/** The usual mistake is a page instead of an image. The bytes decide, and the declared type explains why. */
function explained(error: unknown, { declaredType }: FetchedFile): unknown {
  if (!(error instanceof AppError) || error.code !== 'unsupported_media_type') return error;
  const declared = declaredType === '' ? '' : ` The server declared it as "${declaredType.slice(0, 100)}".`;
  return new AppError('unsupported_media_type', {
    detail: `The URL did not return a JPEG, PNG, WebP or AVIF image.${declared} Send the URL of the image itself, not of a page that shows it. Nothing was stored.`,
    cause: error,
  });
}
