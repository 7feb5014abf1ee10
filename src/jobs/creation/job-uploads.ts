import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { StepMask } from '../../kernel/step-options.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { KnownSources } from '../../uploads/sources/known-sources.js';
import { sourceDeleted, sourceNotFound } from '../../uploads/sources/source-errors.js';
import { type SourceOfJob, SourcesRepository } from '../../uploads/sources/sources.repository.js';
import type { RequestedStep } from './job-spec.js';
import type { OutputDto } from './output/output.dto.js';
import type { RequestedBackground } from './output/output-plan.js';
import { refuseOtherFormats } from './step-mask.js';

/** Finds the uploads that a request names. Methods that read throw AppError `invalid_source_url`, `not_found`, `gone`. */
@Injectable()
export class JobUploads {
  constructor(
    private readonly fileUrls: FileUrls,
    private readonly sources: SourcesRepository,
    private readonly knownSources: KnownSources,
  ) {}

  /** An upload that this process knows. It may be deleted by now. */
  known(accountId: string, sourceUrl: string): SourceOfJob | undefined {
    const id = this.fileUrls.sourceIdIn(sourceUrl);
    return id === undefined ? undefined : this.knownSources.get(accountId, id);
  }

  forget(accountId: string, { id }: SourceOfJob): void {
    this.knownSources.forget(accountId, id);
  }

  /** @param field of the request, for errors */
  async read(on: Queryable, accountId: string, sourceUrl: string, field: string): Promise<SourceOfJob> {
    const id = this.fileUrls.sourceIdIn(sourceUrl);
    if (id === undefined) {
      const detail = `${field} isn't the URL of an upload in your account. Use the \`url\` that the upload returned.`;
      throw new AppError('invalid_source_url', {
        detail,
        errors: [{ field, code: 'foreign', message: detail }],
      });
    }
    const source = await this.sources.findForJob(on, accountId, id);
    if (source === undefined) throw sourceNotFound(id, field);
    if (source.deleted) throw sourceDeleted(id, field);
    this.knownSources.add(accountId, source);
    return source;
  }

  /** The upload that `output.background` names. */
  async background(
    on: Queryable,
    accountId: string,
    output: OutputDto | undefined,
  ): Promise<RequestedBackground | undefined> {
    const given = output?.background;
    if (typeof given !== 'object' || given === null) return undefined;
    const source = await this.read(on, accountId, given.sourceUrl, 'output.background.sourceUrl');
    const { id: sourceId, format, width, height, hasAlpha } = source;
    return { sourceId, format, width, height, fit: given.fit ?? 'cover', hasAlpha };
  }

  /**
   * The uploads that the steps name as `mask`, in the order of the steps.
   * @throws AppError `invalid_request` for a mask that is not a PNG
   */
  async masks(
    on: Queryable,
    accountId: string,
    steps: readonly RequestedStep[],
  ): Promise<readonly (StepMask | undefined)[]> {
    const masks: (StepMask | undefined)[] = [];
    for (const { step, fieldOf } of steps) {
      const field = fieldOf('mask.sourceUrl');
      const source = step.mask && (await this.read(on, accountId, step.mask.sourceUrl, field));
      if (source !== undefined) refuseOtherFormats(source.format, field);
      masks.push(
        source && { sourceId: source.id, format: source.format, width: source.width, height: source.height },
      );
    }
    return masks;
  }
}
