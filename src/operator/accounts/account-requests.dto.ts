import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsIn, IsOptional } from 'class-validator';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import { ACCOUNT_STATUSES, type AccountStatus } from './account-search.repository.js';
import { type AgreedLimitsDto, IsAgreedLimits } from './agreed-limits.dto.js';
import { IsReason } from './reason.decorator.js';

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

export class SetPlanDto {
  @ApiProperty({ enum: PLANS })
  @IsDefined({ message: 'plan is required' })
  @IsIn(PLANS)
  plan: Plan;

  @IsAgreedLimits()
  limits?: AgreedLimitsDto | null;
}

export class SuspendDto {
  @IsReason('Shown to the customer.')
  reason: string;

  @ApiPropertyOptional({
    type: 'boolean',
    default: false,
    description: 'Also suspend the organizations that the user owns.',
  })
  @IsOmittable()
  @IsBoolean()
  withOrganizations?: boolean;
}

export class ImpersonateDto {
  @IsReason('For the audit log of the account, which its owner can read.')
  reason: string;
}

export class UnlinkIdentityDto {
  @ApiProperty({ type: 'string', description: 'One of `identities` of the account.' })
  @IsDefined({ message: 'identityId is required' })
  @IsPlainText(MAX_SEARCH)
  identityId: string;
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
