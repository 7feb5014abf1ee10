import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { OptionalBody } from '../../common/validation/optional-body.decorator.js';
import { QUOTA_CHOICES, type QuotaChoice } from './create-batch.dto.js';

@OptionalBody()
export class RetryBatchDto {
  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description: 'Whether canceled items are retried, too.',
  })
  @IsOmittable()
  @IsBoolean()
  includeCanceled?: boolean;

  @ApiPropertyOptional({
    enum: QUOTA_CHOICES,
    default: 'all',
    description: 'As for the creation of a batch.',
  })
  @IsOmittable()
  @IsIn(QUOTA_CHOICES)
  onQuota?: QuotaChoice;
}
