import { ApiProperty } from '@nestjs/swagger';
import { LinkedIdentityDto } from '../../auth/oidc/identities/linked-identity.dto.js';
import { PlanLimitsDto } from '../../auth/sessions/session.dto.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import { ACCOUNT_STATUSES, type AccountStatus } from './account-search.repository.js';
import { MAX_COUNTED } from './console-accounts.repository.js';
import { PageDto } from '../../common/lists/page.dto.js';

const COUNT = { type: 'integer', maximum: MAX_COUNTED } as const;

/** An account in the list of the console. */
export class ConsoleAccountDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', description: "Address of a user's account; the id of an organization." })
  email: string;

  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  name: string;

  @ApiProperty({ type: 'boolean', description: 'False for an organization, which has no address.' })
  isEmailVerified: boolean;

  @ApiProperty({ enum: PLANS })
  plan: Plan;

  @ApiProperty({ enum: ACCOUNT_STATUSES })
  status: AccountStatus;

  @ApiProperty({ type: 'boolean', description: 'Whether the user may use this console.' })
  operator: boolean;

  @ApiProperty({ type: PlanLimitsDto, description: 'Those of the plan, overridden by agreed ones.' })
  limits: PlanLimitsDto;

  @ApiProperty({ type: 'integer', description: 'Enhancements of the current month (UTC).' })
  enhancementsUsed: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  storageUsedBytes: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'The last request with a key or in the dashboard, as far as it is still known.',
  })
  lastActiveAt: string | null;
}

export class ConsoleAccountListDto extends PageDto(ConsoleAccountDto) {}

/** Limits agreed with one account. A limit that is left out is that of the plan. */
export class OwnLimitsDto {
  @ApiProperty({ type: 'integer', required: false })
  rpm?: number;

  @ApiProperty({ type: 'integer', required: false })
  enhancements?: number;

  @ApiProperty({ type: 'integer', format: 'int64', required: false })
  storageBytes?: number;

  @ApiProperty({ type: 'integer', required: false })
  keys?: number;
}

export class SuspensionDto {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at: string;

  @ApiProperty({ type: 'string', description: 'As the customer reads it.' })
  reason: string;
}

export class AccountCountsDto {
  @ApiProperty({ ...COUNT, description: 'Active API keys, those of test mode included.' })
  keys: number;

  @ApiProperty({ ...COUNT, description: 'Sessions of its user.' })
  sessions: number;

  @ApiProperty({ ...COUNT, description: 'Members besides the primary owner.' })
  members: number;

  @ApiProperty(COUNT)
  endpoints: number;

  @ApiProperty(COUNT)
  queuedJobs: number;
}

export class PrimaryOwnerDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  email: string;
}

export class OwnedOrganizationDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  name: string;

  @ApiProperty({ enum: ACCOUNT_STATUSES })
  status: AccountStatus;
}

/** One account in full. */
export class ConsoleAccountDetailDto extends ConsoleAccountDto {
  @ApiProperty({ type: OwnLimitsDto, nullable: true, description: 'Null when only the plan applies.' })
  ownLimits: OwnLimitsDto | null;

  @ApiProperty({ type: PlanLimitsDto, description: 'What the plan allows without agreed limits.' })
  planLimits: PlanLimitsDto;

  @ApiProperty({ type: SuspensionDto, nullable: true })
  suspension: SuspensionDto | null;

  @ApiProperty({
    type: 'boolean',
    description:
      'False for organizations, users who sign in with an OpenID provider, and accounts that use only keys.',
  })
  hasPassword: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether the user signs in with a code of an app, too.' })
  hasTwoFactor: boolean;

  @ApiProperty({ type: [LinkedIdentityDto], description: 'Users of the OpenID provider who sign in to it.' })
  identities: LinkedIdentityDto[];

  @ApiProperty({ type: 'boolean' })
  resultCache: boolean;

  @ApiProperty({ type: PrimaryOwnerDto, nullable: true, description: "Null for a user's account." })
  owner: PrimaryOwnerDto | null;

  @ApiProperty({ type: [OwnedOrganizationDto], description: 'The organizations that the user owns.' })
  organizations: OwnedOrganizationDto[];

  @ApiProperty({ type: AccountCountsDto, description: `At most ${MAX_COUNTED} of each are counted.` })
  counts: AccountCountsDto;
}

/** A new password, which is shown only in this response. */
export class TemporaryPasswordDto {
  @ApiProperty({ type: 'string' })
  password: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it stops working.' })
  expiresAt: string;
}

export class SignedOutDto {
  @ApiProperty({ type: 'integer', description: 'Sessions that were ended.' })
  sessions: number;
}
