import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsObject, MinLength, ValidateNested } from 'class-validator';
import { PlanRequestDto, planRequestDto } from '../../accounts/plans/plan-request.dto.js';
import type { PlanRequest } from '../../accounts/plans/plan-request.js';
import { IsNullable } from '../../common/validation/omittable.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import { AgreedLimitsDto } from '../accounts/account-requests.dto.js';

const MAX_REASON = 300;

export class ApprovePlanDto {
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

export class DeclinePlanDto {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: MAX_REASON, description: 'Shown to the customer.' })
  @IsDefined({ message: 'reason is required' })
  @IsPlainText(MAX_REASON)
  @MinLength(1, { message: 'reason must not be empty' })
  @Trimmed()
  reason: string;
}

/** A request as the console shows it. */
export class ConsolePlanRequestDto extends PlanRequestDto {
  @ApiProperty({ type: 'string' })
  accountId: string;

  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  accountName: string;

  @ApiProperty({ enum: PLANS })
  currentPlan: Plan;
}

export class ConsolePlanRequestListDto {
  @ApiProperty({ type: [ConsolePlanRequestDto] })
  data: ConsolePlanRequestDto[];

  @ApiProperty({ type: 'boolean' })
  hasMore: boolean;

  @ApiProperty({ type: 'string', nullable: true })
  nextCursor: string | null;
}

export function consolePlanRequestDto(request: PlanRequest): ConsolePlanRequestDto {
  const { accountId, accountName, currentPlan } = request;
  return Object.assign(planRequestDto(request), { accountId, accountName, currentPlan });
}
