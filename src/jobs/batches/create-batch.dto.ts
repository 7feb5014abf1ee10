import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDefined, IsIn } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { JobTermsDto } from '../creation/create-job.dto.js';

export const MAX_BATCH_ITEMS = 1_000;

export const QUOTA_CHOICES = ['all', 'partial'] as const;
export type QuotaChoice = (typeof QUOTA_CHOICES)[number];

const SIZE = { message: `sourceUrls must have 1 to ${MAX_BATCH_ITEMS} elements` };

/** The planner reads the elements of `sourceUrls`, so that each bad one is named by its index. */
export class CreateBatchDto extends JobTermsDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uri' },
    minItems: 1,
    maxItems: MAX_BATCH_ITEMS,
    description: 'The `url`s of uploads of your account, one for each item. Duplicates are allowed.',
    example: [
      'https://images.example/files/src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f.jpg?exp=1795334400&sig=5f2c4a',
    ],
  })
  @IsDefined({ message: 'sourceUrls is required' })
  @ArrayMinSize(1, SIZE)
  @ArrayMaxSize(MAX_BATCH_ITEMS, SIZE)
  @IsArray({ message: 'sourceUrls must be an array' })
  sourceUrls: unknown[];

  @ApiPropertyOptional({
    enum: QUOTA_CHOICES,
    default: 'all',
    description:
      'What to do when the monthly enhancements do not suffice for all items. `all`: refuse the batch. `partial`: create as many jobs as fit, in order, and name the others in `skipped`.',
  })
  @IsOmittable()
  @IsIn(QUOTA_CHOICES)
  onQuota?: QuotaChoice;
}
