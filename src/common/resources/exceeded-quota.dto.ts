import { ApiProperty } from '@nestjs/swagger';
import { type Plan, PLANS } from '../../kernel/plans.js';

/** The quota that refused a request, as the event `quota.exceeded` reports it. */
export class ExceededQuotaDto {
  @ApiProperty({ enum: ['enhancements', 'storage'] })
  quota: 'enhancements' | 'storage';

  @ApiProperty({ type: 'integer', description: 'Enhancements per month, or bytes of storage.' })
  limit: number;

  @ApiProperty({ type: 'integer' })
  used: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Null for storage, which only deleting frees.',
  })
  resetsAt: string | null;

  @ApiProperty({ enum: PLANS })
  plan: Plan;
}
