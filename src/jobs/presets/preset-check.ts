import { Inject, Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { JobPlanner } from '../creation/job-planner.js';
import { JobUploads } from '../creation/job-uploads.js';
import { jobSpecOf, type SourceShape } from '../creation/job-spec.js';
import type { RequestedBackground } from '../creation/output/output-plan.js';
import type { SavePresetDto } from './save-preset.dto.js';

/** Stands for the sources that the preset will be used with. */
const SAMPLE: SourceShape = { format: 'png', width: 2_000, height: 2_000, hasAlpha: true };
const PICTURE = 'output.background.sourceUrl';

/** Refuses presets that no job could use, so that a mistake shows when they are saved. */
@Injectable()
export class PresetCheck {
  constructor(
    private readonly planner: JobPlanner,
    private readonly uploads: JobUploads,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `invalid_request` with every field that is wrong whatever the source */
  async check(accountId: string, { operations, output }: SavePresetDto): Promise<void> {
    refuseMasks(operations);
    const steps = this.planner.stepsOf({ accountId }, { operations });
    const picture = await this.pictureOf(accountId, output);
    try {
      jobSpecOf(steps, output, { source: SAMPLE, picture }, this.config);
    } catch (error) {
      if (!dependsOnSource(error)) throw error;
    }
  }

  private async pictureOf(
    accountId: string,
    output: SavePresetDto['output'],
  ): Promise<RequestedBackground | undefined> {
    try {
      return await this.uploads.background(this.database, accountId, output);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw invalidRequest([{ field: PICTURE, code: error.code, message: error.detail }]);
    }
  }
}

/** @throws AppError `invalid_request`, because a mask belongs to one photo */
function refuseMasks(operations: SavePresetDto['operations']): void {
  const errors = operations.flatMap(({ mask }, index) => {
    const field = `operations.${index}.mask`;
    const message = `${field} applies to a single photo and can't be saved in a preset. Omit it.`;
    return mask === undefined ? [] : [{ field, code: 'conflict', message }];
  });
  if (errors.length > 0) throw invalidRequest(errors);
}

/** Another source may reach a size that this one cannot, or stay within a limit that this one exceeds. */
function dependsOnSource(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'too_many_pixels' || error.errors[0]?.code === 'range');
}
