import { ApiProperty } from '@nestjs/swagger';
import { PlanRequestDto, planRequestDto } from '../../accounts/plans/plan-request.dto.js';
import type { PlanRequest } from '../../accounts/plans/plan-request.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import { type AgreedLimitsDto, IsAgreedLimits } from '../accounts/agreed-limits.dto.js';
import { IsReason } from '../accounts/reason.decorator.js';
import { PageDto } from '../../common/lists/page.dto.js';

export class ApprovePlanDto {
  @IsAgreedLimits()
  limits?: AgreedLimitsDto | null;
}

export class DeclinePlanDto {
  @IsReason('Shown to the customer.')
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

export class ConsolePlanRequestListDto extends PageDto(ConsolePlanRequestDto) {}

export function consolePlanRequestDto(request: PlanRequest): ConsolePlanRequestDto {
  const { accountId, accountName, currentPlan } = request;
  return Object.assign(planRequestDto(request), { accountId, accountName, currentPlan });
}
