import { ApiProperty } from '@nestjs/swagger';
import type { Config } from '../../config/env.js';
import { type Permission, PERMISSIONS, type Role, ROLES } from '../../kernel/accounts/roles.js';
import { type Plan, PLANS } from '../../kernel/plans.js';
import type { Session } from './session.js';
import { csrfTokenOf } from './csrf-token.js';

export class PlanLimitsDto {
  @ApiProperty({ type: 'integer', description: 'Requests per minute per key.' })
  rpm: number;

  @ApiProperty({ type: 'integer', description: 'Enhancements per calendar month (UTC).' })
  enhancements: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  storageBytes: number;

  @ApiProperty({ type: 'integer', description: 'Active API keys.' })
  keys: number;
}

export class UserDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  email: string;

  @ApiProperty({ type: 'boolean', description: 'Whether the user may use the operator console.' })
  operator: boolean;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether the user has verified this email address.',
  })
  isEmailVerified: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether a link to verify it was sent and still works.' })
  hasVerificationLink: boolean;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether the user has a password. Users of an OpenID provider need none.',
  })
  hasPassword: boolean;
}

/** The current organization. */
export class AccountDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string', description: "Address of a user's account; the id of an organization." })
  email: string;

  @ApiProperty({
    type: 'string',
    description: "The name of an organization, or the address of a user's account.",
  })
  name: string;

  @ApiProperty({ type: 'string', description: 'The primary owner.' })
  ownerId: string;

  @ApiProperty({ enum: PLANS })
  plan: Plan;

  @ApiProperty({ type: PlanLimitsDto })
  limits: PlanLimitsDto;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;
}

/** While an operator is signed in as a customer. Nothing can be changed then. */
export class ImpersonationDto {
  @ApiProperty({ type: 'string', format: 'date-time' })
  startedAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it ends by itself.' })
  expiresAt: string;
}

/** The signed-in user, if any, with the data that every page needs. */
export class SessionDto {
  @ApiProperty({ type: UserDto, nullable: true, description: 'Null when nobody is signed in.' })
  user: UserDto | null;

  @ApiProperty({ type: AccountDto, nullable: true, description: 'Null when nobody is signed in.' })
  account: AccountDto | null;

  @ApiProperty({ enum: ROLES, nullable: true, description: "The user's role in the current organization." })
  role: Role | null;

  @ApiProperty({ enum: PERMISSIONS, isArray: true, description: 'Permissions of the role.' })
  permissions: readonly Permission[];

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'To be sent as `X-CSRF-Token` with every change.',
  })
  csrfToken: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  expiresAt: string | null;

  @ApiProperty({
    type: ImpersonationDto,
    nullable: true,
    description: 'Set while the user, an operator, is signed in as this account.',
  })
  impersonation: ImpersonationDto | null;

  @ApiProperty({ enum: ['open', 'closed'] })
  signUp: Config['signUp'];

  @ApiProperty({
    type: 'boolean',
    description: 'Whether the service sends mail, such as a link to choose a new password.',
  })
  sendsMail: boolean;

  @ApiProperty({
    type: 'boolean',
    description:
      'Whether users can change nothing in an account until they have verified their email address.',
  })
  requiresVerifiedEmail: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether the sign-in waits for a code of the second factor.' })
  secondFactorRequired: boolean;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Name of the OpenID provider that users can sign in with; null without one.',
  })
  oidcName: string | null;

  @ApiProperty({ type: 'integer', description: 'Maximum size of a photo, width × height.' })
  maxInputPixels: number;
}

type SessionConfig = Pick<
  Config,
  'signUp' | 'smtpFrom' | 'requireVerifiedEmail' | 'oidcIssuer' | 'oidcName' | 'maxInputPixels'
>;

export function sessionDto(
  session: Session | undefined,
  config: SessionConfig,
  secondFactorRequired = false,
): SessionDto {
  const { signUp, smtpFrom, maxInputPixels } = config;
  const sendsMail = smtpFrom !== undefined;
  const requiresVerifiedEmail = config.requireVerifiedEmail === 'on';
  const oidcName = providerNameOf(config);
  if (session === undefined)
    return {
      user: null,
      account: null,
      role: null,
      permissions: [],
      csrfToken: null,
      expiresAt: null,
      impersonation: null,
      signUp,
      sendsMail,
      requiresVerifiedEmail,
      secondFactorRequired,
      oidcName,
      maxInputPixels,
    };
  const { account, user, role, permissions, expiresAt, impersonation } = session;
  return {
    user,
    role,
    permissions,
    account: { ...account, createdAt: account.createdAt.toISOString() },
    csrfToken: csrfTokenOf(session),
    expiresAt: expiresAt.toISOString(),
    impersonation: impersonation && {
      startedAt: impersonation.startedAt.toISOString(),
      expiresAt: impersonation.expiresAt.toISOString(),
    },
    signUp,
    sendsMail,
    requiresVerifiedEmail,
    secondFactorRequired: false,
    oidcName,
    maxInputPixels,
  };
}

function providerNameOf({ oidcIssuer, oidcName }: SessionConfig): string | null {
  return oidcIssuer === undefined ? null : (oidcName ?? new URL(oidcIssuer).host);
}
