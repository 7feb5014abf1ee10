import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { JobPlanner } from '../creation/job-planner.js';
import { JobUploads } from '../creation/job-uploads.js';
import type { OfferedStep } from '../creation/job-spec.js';
import { planOutput, type RequestedBackground } from '../creation/output/output-plan.js';
import { optionFaults } from '../creation/step-options.js';
import type { SavePresetDto } from './save-preset.dto.js';

/** Stands for the sources that the preset will be used with. Any size does, because no limit is checked. */
const SAMPLE = { format: 'png', width: 2_000, height: 2_000, hasAlpha: true } as const;
const PICTURE = 'output.background.sourceUrl';

/** Refuses presets that no job could use, so that a mistake shows when they are saved. */
@Injectable()
export class PresetCheck {
  constructor(
    private readonly planner: JobPlanner,
    private readonly uploads: JobUploads,
    private readonly database: Database,
  ) {}

  /** @throws AppError `invalid_request` with every field that is wrong whatever the source */
  async check(accountId: string, { operations, output }: SavePresetDto): Promise<void> {
    refuseMasks(operations);
    const steps = this.planner.stepsOf({ accountId }, { operations });
    const picture = await this.pictureOf(accountId, output);
    refuseContradictions(steps, output, picture);
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

/**
 * Checks all steps and the output regardless of sizes: another source may reach a size or stay within a limit.
 * @throws AppError `invalid_request`
 */
function refuseContradictions(
  steps: readonly OfferedStep[],
  output: SavePresetDto['output'],
  picture: RequestedBackground | undefined,
): void {
  const faults = steps.flatMap(({ step, operation, fieldOf }) => optionFaults(step, operation, fieldOf));
  if (faults.length > 0) throw invalidRequest(faults);
  const cutout = steps.find(({ operation }) => operation.producesAlpha)?.operation.operation;
  planOutput(output ?? {}, { ...SAMPLE, cutout }, picture);
}
