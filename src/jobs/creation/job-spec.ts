import type { CatalogOperation } from '../../models/repository/catalog.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { DEFAULT_LEVEL, type ImageFormat, type Level } from '../../kernel/operations.js';
import type { CreateJobDto } from './create-job.dto.js';
import type { JobOutput } from '../job.entity.js';
import { type OutputLimits, refuseTooLarge } from './result-limits.js';

/** What a job of this operation at this level will do, every default decided. */
export interface JobSpec {
  readonly operation: string;
  readonly level: Level;
  readonly output: JobOutput;
}

/** Reads operation and level of a request. @throws AppError `invalid_request` for an operation that is not offered. */
export function readOperation(dto: CreateJobDto, offered: readonly CatalogOperation[]): CatalogOperation {
  const operation = offered.find((candidate) => candidate.operation === dto.operation);
  if (operation !== undefined) return operation;
  const names = offered.map((candidate) => candidate.operation).join(', ');
  throw invalidRequest([{ field: 'operation', code: 'enum', message: `operation must be one of ${names}.` }]);
}

export interface SourceShape {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/**
 * Decides the defaults that depend on the source.
 * @throws AppError `invalid_request` when transparency would have nowhere to go, `too_many_pixels`
 */
export function jobSpecOf(
  dto: CreateJobDto,
  operation: CatalogOperation,
  source: SourceShape,
  limits: OutputLimits,
): JobSpec {
  const level = dto.level ?? DEFAULT_LEVEL;
  const format = dto.output?.format ?? (operation.producesAlpha ? 'png' : source.format);
  const background = dto.output?.background?.toLowerCase() ?? null;
  if (operation.producesAlpha && format === 'jpeg' && background === null) {
    const message = `output.background is required for ${operation.operation} with jpeg, which has no transparency.`;
    throw invalidRequest([{ field: 'output.background', code: 'required', message }]);
  }
  const output = { format, quality: dto.output?.quality ?? null, background };
  const scale = operation.scales[level] ?? 1;
  refuseTooLarge(
    {
      width: source.width * scale,
      height: source.height * scale,
      format,
      hasAlpha: background === null && (operation.producesAlpha || source.hasAlpha),
    },
    limits,
  );
  return { operation: operation.operation, level, output };
}
