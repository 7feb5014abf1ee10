import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { JobDto } from '../../common/resources/job.dto.js';
import { validBody } from '../../common/validation/valid-body.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { IdempotentAnswer } from '../../idempotency/idempotency.service.js';
import type { ImageFormat } from '../../kernel/operations.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../../quotas/quotas.service.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { UploadsService } from '../../uploads/uploads.service.js';
import { ResultCache } from '../cache/result-cache.js';
import { withCancelAfter } from '../creation/cancel-after.js';
import { CreateJobDto } from '../creation/create-job.dto.js';
import { OutputDto } from '../creation/output/output.dto.js';
import { JobCreation } from '../creation/job-creation.js';
import { requestFingerprints } from '../creation/urls/request-fingerprints.js';
import { bodyOfForm } from './form-fields.js';

const FORM = { fileField: 'file', maxFields: 40, maxFieldBytes: 16 * 1024 };
/** Members that a form cannot have. */
const WITHOUT: Readonly<Record<string, string>> = {
  sourceUrl: 'The uploaded file is the source. To use sourceUrl, send JSON without a file.',
  dryRun: 'dryRun works only in JSON requests without a file.',
};
/** Stands for the source, which does not exist yet when the fields are checked. */
const NO_SOURCE = 'form:file';

interface JobHeaders {
  /** Output format unless the form names one. It replaces that of a preset. */
  readonly format: ImageFormat | undefined;
  readonly cancelAfter: string | undefined;
}

/** Uploads a file and creates its job in one request and one transaction. */
@Injectable()
export class OneCall {
  constructor(
    private readonly uploads: UploadsService,
    private readonly creation: JobCreation,
    private readonly quotas: QuotasService,
    private readonly cache: ResultCache,
    private readonly fileUrls: FileUrls,
  ) {}

  /**
   * @param headers what the headers say about the job
   * @throws AppError as an upload and as a new job; either leaves nothing behind
   */
  async create(
    principal: Principal,
    request: IncomingMessage,
    key: string | undefined,
    headers: JobHeaders,
  ): Promise<IdempotentAnswer<JobDto>> {
    let isChecked = false;
    const refuseUnlessFree = async (cache: boolean | undefined): Promise<void> => {
      // A reused result is free.
      if (isChecked || this.cache.mayReuse(principal, cache)) return;
      isChecked = true;
      await this.refuseIfUsedUp(principal, key);
    };
    // Whatever the form says, nothing is reused if the service has no cache.
    await refuseUnlessFree(true);
    return this.creation.createWithin(principal, (write) =>
      this.uploads.uploadForm(principal, request, key, {
        shape: {
          ...FORM,
          beforeFile: async (fields) => {
            // A form that begins with its file may ask for the cache after it.
            if (fields.size > 0) await refuseUnlessFree(cacheOf(bodyOfForm(fields)));
          },
        },
        read: async (fields) => {
          const dto = await readJob(fields, headers);
          await refuseUnlessFree(dto.cache);
          return dto;
        },
        fingerprint: ({ sha256 }, asked) =>
          requestFingerprints('POST /api/ai/enhance form', asked, this.fileUrls, (dto) => ({ sha256, dto })),
        answer: (tx, { url }, dto) => write(tx, Object.assign(dto, { sourceUrl: url })),
      }),
    );
  }

  private async refuseIfUsedUp(principal: Principal, key: string | undefined): Promise<void> {
    // The first request with this key may have used up the plan, and its response is still due.
    if (key === undefined) await this.quotas.refuseIfUsedUp(principal);
  }
}

/** What a form that was not validated yet says about the cache. */
function cacheOf({ cache }: Readonly<Record<string, unknown>>): boolean | undefined {
  return typeof cache === 'boolean' ? cache : undefined;
}

async function readJob(
  fields: ReadonlyMap<string, string>,
  { format, cancelAfter }: JobHeaders,
): Promise<CreateJobDto> {
  const body = bodyOfForm(fields);
  const refused = Object.keys(WITHOUT).filter((field) => Object.hasOwn(body, field));
  if (refused.length > 0)
    throw invalidRequest(refused.map((field) => ({ field, code: 'unknown', message: WITHOUT[field]! })));
  const whole = await validBody({ body: { ...body, sourceUrl: NO_SOURCE } }, CreateJobDto);
  const dto = withCancelAfter(whole, cancelAfter);
  if (format === undefined || dto.output?.format !== undefined) return dto;
  if (dto.preset !== undefined && dto.output === undefined)
    return Object.assign(dto, { acceptedFormat: format });
  return Object.assign(dto, { output: Object.assign(dto.output ?? new OutputDto(), { format }) });
}
