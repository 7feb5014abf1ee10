import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO8601, Matches } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { DAY } from './usage-range.js';

const message = ({ property }: { readonly property: string }): string =>
  `${property} must be a day such as 2026-01-31`;

export class UsageExportQueryDto {
  @ApiPropertyOptional({
    type: 'string',
    format: 'date',
    example: '2026-01-01',
    description: 'The first day (UTC). Default: 29 days before `to`.',
  })
  @IsOmittable()
  @Matches(DAY, { message })
  @IsISO8601({ strict: true }, { message })
  from?: string;

  @ApiPropertyOptional({
    type: 'string',
    format: 'date',
    example: '2026-01-31',
    description: 'The last day (UTC), which is included. Default: today.',
  })
  @IsOmittable()
  @Matches(DAY, { message })
  @IsISO8601({ strict: true }, { message })
  to?: string;
}
