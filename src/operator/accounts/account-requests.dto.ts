import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsDefined,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { IsNullable, IsOmittable } from '../../common/validation/omittable.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { LIMIT_CEILINGS, type Plan, PLANS } from '../../kernel/plans.js';
import { ACCOUNT_STATUSES, type AccountStatus } from './account-search.repository.js';

const MAX_SEARCH = 254;

export class ConsoleAccountsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({
    type: 'string',
    maxLength: MAX_SEARCH,
    description:
      'The start of an email address or of its domain, or the id of an account, key, photo, job, batch or endpoint.',
  })
  @IsOptional()
  @IsPlainText(MAX_SEARCH)
  search?: string;

  @ApiPropertyOptional({ enum: PLANS })
  @IsOptional()
  @IsIn(PLANS)
  plan?: Plan;

  @ApiPropertyOptional({ enum: ACCOUNT_STATUSES })
  @IsOptional()
  @IsIn(ACCOUNT_STATUSES)
  status?: AccountStatus;
}

/** A limit that may be agreed with an account. */
const limit =
  (most: number): PropertyDecorator =>
  (target, property) => {
    const text = { message: `limits.${String(property)} must be a whole number from 0 to ${most}` };
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: most })(target, property);
    for (const rule of [IsOmittable(), IsInt(text), Min(0, text), Max(most, text)]) rule(target, property);
  };

export class AgreedLimitsDto {
  @limit(LIMIT_CEILINGS.rpm)
  rpm?: number;

  @limit(LIMIT_CEILINGS.enhancements)
  enhancements?: number;

  @limit(LIMIT_CEILINGS.storageBytes)
  storageBytes?: number;

  @limit(LIMIT_CEILINGS.keys)
  keys?: number;
}

export class SetPlanDto {
  @ApiProperty({ enum: PLANS })
  @IsDefined({ message: 'plan is required' })
  @IsIn(PLANS)
  plan: Plan;

  @ApiPropertyOptional({
    type: AgreedLimitsDto,
    nullable: true,
    description: 'Replaces all agreed limits. Null: those of the plan. Required for enterprise.',
  })
  @IsNullable()
  @IsObject()
  @ValidateNested()
  @Type(() => AgreedLimitsDto)
  limits?: AgreedLimitsDto | null;
}

const MAX_REASON = 300;

const reason =
  (description: string): PropertyDecorator =>
  (target, property) => {
    ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_REASON, description })(target, property);
    const rules = [
      IsDefined({ message: 'reason is required' }),
      IsPlainText(MAX_REASON),
      MinLength(1, { message: 'reason must not be empty' }),
      Trimmed(),
    ];
    for (const rule of rules) rule(target, property);
  };

export class SuspendDto {
  @reason('Shown to the customer.')
  reason: string;
}

export class ImpersonateDto {
  @reason('For the audit log of the account, which its owner can read.')
  reason: string;
}

export class ConsoleDeleteAccountDto {
  @ApiProperty({
    type: 'string',
    description: 'The email address of the account, or the name of the organization, typed by the operator.',
  })
  @IsDefined({ message: 'confirmation is required' })
  @IsPlainText(MAX_SEARCH)
  confirmation: string;
}
