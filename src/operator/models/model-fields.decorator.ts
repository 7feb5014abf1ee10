import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

export const MAX_VERSION = 999_999_999;
export const VERSION_FAULT = { message: `version must be a whole number from 1 to ${MAX_VERSION}` };

/** The number of a version, as its folder is called. */
export function IsVersion(description?: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'integer',
      minimum: 1,
      maximum: MAX_VERSION,
      ...(description !== undefined && { description }),
    }),
    IsInt(VERSION_FAULT),
    Min(1, VERSION_FAULT),
    Max(MAX_VERSION, VERSION_FAULT),
  );
}

const PERCENT_FAULT = { message: 'percent must be a whole number from 1 to 100' };

/** A share. */
export function IsPercent(description?: string): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'integer',
      minimum: 1,
      maximum: 100,
      ...(description !== undefined && { description }),
    }),
    IsInt(PERCENT_FAULT),
    Min(1, PERCENT_FAULT),
    Max(100, PERCENT_FAULT),
  );
}
