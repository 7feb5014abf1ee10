import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsIn } from 'class-validator';
import { IsNullable } from '../../common/validation/omittable.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import {
  PLAN_REQUEST_STATUSES,
  type PlanRequest,
  type PlanRequestStatus,
  REQUESTABLE_PLANS,
  type RequestablePlan,
} from './plan-request.js';

export const MAX_NOTE = 500;

export class CreatePlanRequestDto {
  @ApiProperty({ enum: REQUESTABLE_PLANS })
  @IsDefined({ message: 'plan is required' })
  @IsIn(REQUESTABLE_PLANS, { message: `plan must be one of ${REQUESTABLE_PLANS.join(', ')}` })
  plan: RequestablePlan;

  @ApiPropertyOptional({
    type: 'string',
    maxLength: MAX_NOTE,
    nullable: true,
    description: 'For the operator.',
  })
  @IsNullable()
  @IsPlainText(MAX_NOTE)
  @Trimmed()
  note?: string | null;
}

export class PlanRequestDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ enum: REQUESTABLE_PLANS })
  plan: RequestablePlan;

  @ApiProperty({ type: 'string', nullable: true })
  note: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Address of the user who asked. Null when that user was deleted.',
  })
  requestedBy: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ enum: PLAN_REQUEST_STATUSES })
  status: PlanRequestStatus;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  closedAt: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the operator declined it.' })
  reason: string | null;
}

export class LatestPlanRequestDto {
  @ApiProperty({
    type: PlanRequestDto,
    nullable: true,
    description: 'The newest request, whatever became of it.',
  })
  request: PlanRequestDto | null;
}

export function planRequestDto(request: PlanRequest): PlanRequestDto {
  const { id, plan, note, requestedBy, createdAt, status, closedAt, reason } = request;
  return {
    id,
    plan,
    note,
    requestedBy,
    createdAt: createdAt.toISOString(),
    status,
    closedAt: closedAt?.toISOString() ?? null,
    reason,
  };
}
