import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './pagination.js';

const MESSAGE = `limit must be a whole number from 1 to ${MAX_PAGE_SIZE}`;

/** A `limit` that may be omitted. */
export const IsPageSize = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) => readLimit(value)),
    IsInt({ message: MESSAGE }),
    Min(1, { message: MESSAGE }),
    Max(MAX_PAGE_SIZE, { message: MESSAGE }),
  );

/** A `cursor` that may be omitted. */
export const IsCursor = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      type: 'string',
      pattern: '^[A-Za-z0-9_-]+$',
      maxLength: 200,
      description: '`nextCursor` of the previous page.',
    }),
    IsOptional(),
    IsString(),
    MaxLength(200),
  );

/** The query of every list. */
export class ListQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    description: 'The size of a page.',
  })
  @IsPageSize()
  limit: number = DEFAULT_PAGE_SIZE;

  @IsCursor()
  cursor?: string;
}

/**
 * Accepts digits only, because JavaScript also reads `0x10`, `1e2`, and blanks as numbers. Other text is returned
 * unchanged and fails the checks.
 */
function readLimit(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}
