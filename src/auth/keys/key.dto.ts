import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  Max,
  Min,
  MinLength,
} from 'class-validator';
import { IsInstant } from '../../common/validation/instant.validator.js';
import { IsNullable, IsOmittable } from '../../common/validation/omittable.decorator.js';
import { OptionalBody } from '../../common/validation/optional-body.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { Trimmed } from '../../common/validation/trimmed.decorator.js';
import { type Scope, SCOPES } from '../../kernel/scopes.js';
import { IsNetworkList } from './network.validator.js';

export const KEY_STATUSES = ['active', 'replaced', 'expired', 'revoked'] as const;
export type KeyStatus = (typeof KEY_STATUSES)[number];

export class KeyDto {
  @ApiProperty({ type: 'string' })
  id: string;

  @ApiProperty({ type: 'string' })
  name: string;

  @ApiProperty({ type: 'boolean', description: 'False for a key of test mode.' })
  livemode: boolean;

  @ApiProperty({ type: 'string' })
  prefix: string;

  @ApiProperty({ type: 'string' })
  last4: string;

  @ApiProperty({ enum: SCOPES, isArray: true })
  scopes: readonly Scope[];

  @ApiProperty({
    enum: KEY_STATUSES,
    description: '`replaced`: works beside its successor until it expires.',
  })
  status: KeyStatus;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastUsedAt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  expiresAt: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  revokedAt: string | null;

  @ApiProperty({ type: 'string', nullable: true })
  replacedById: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'Networks (CIDR) from which it may be used; null: from anywhere.',
  })
  allowedIps: readonly string[] | null;
}

export class IssuedKeyDto extends KeyDto {
  @ApiProperty({ type: 'string', description: 'The key itself. Shown only here.' })
  key: string;
}

export class RotatedKeyDto extends IssuedKeyDto {
  @ApiProperty({ type: KeyDto })
  replaces: KeyDto;
}

/** The next plan that allows more keys. */
export class UpgradeDto {
  @ApiPropertyOptional({ type: 'string', description: 'Absent on Enterprise: its limits can be raised.' })
  plan?: string;

  @ApiProperty({ type: 'string' })
  url: string;

  @ApiPropertyOptional({ type: 'string' })
  note?: string;
}

export class KeyListDto {
  @ApiProperty({ type: [KeyDto] })
  data: readonly KeyDto[];

  @ApiProperty({ type: 'integer', description: 'Active live keys that the plan allows.' })
  limit: number;

  @ApiProperty({ type: 'integer', description: 'Active live keys.' })
  active: number;

  @ApiProperty({ type: 'integer', description: 'Active test keys that an account may have.' })
  testLimit: number;

  @ApiProperty({ type: 'integer', description: 'Active test keys.' })
  testActive: number;

  @ApiProperty({ type: 'integer', description: 'Keys of both modes that were revoked or have expired.' })
  inactive: number;

  @ApiProperty({ type: 'boolean' })
  hasMore: boolean;

  @ApiProperty({ type: 'string', nullable: true })
  nextCursor: string | null;

  @ApiProperty({ type: UpgradeDto, nullable: true, description: 'Null while there is room.' })
  upgrade: UpgradeDto | null;
}

/** A week, as for the signing secrets of webhooks. */
const MAX_OVERLAP_SECONDS = 604_800;
const OVERLAP = `overlapSeconds must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}`;

export class CreateKeyDto {
  @ApiProperty({ type: 'string', minLength: 1, maxLength: 80 })
  @IsDefined({ message: 'name is required' })
  @IsPlainText(80)
  @MinLength(1, { message: 'name must not be empty' })
  @Trimmed()
  name: string;

  @ApiPropertyOptional({ type: 'boolean', default: true, description: 'False for a key of test mode.' })
  @IsOmittable()
  @IsBoolean()
  livemode?: boolean;

  @ApiPropertyOptional({ enum: SCOPES, isArray: true })
  @IsOmittable()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsNullable()
  @IsInstant()
  expiresAt?: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'Null or empty: from anywhere.',
  })
  @IsNullable()
  @IsNetworkList()
  allowedIps?: string[] | null;
}

/** Changes only the given fields. */
export class UpdateKeyDto {
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: 80 })
  @IsOmittable()
  @IsPlainText(80)
  @MinLength(1, { message: 'name must not be empty' })
  @Trimmed()
  name?: string;

  @ApiPropertyOptional({ enum: SCOPES, isArray: true })
  @IsOmittable()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  @ApiPropertyOptional({ type: 'string', format: 'date-time', nullable: true })
  @IsNullable()
  @IsInstant()
  expiresAt?: string | null;

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    description: 'Null or empty: from anywhere.',
  })
  @IsNullable()
  @IsNetworkList()
  allowedIps?: string[] | null;
}

@OptionalBody()
export class RotateKeyDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_OVERLAP_SECONDS,
    default: 86_400,
    description: 'How long the old key works beside the new one.',
  })
  @IsOmittable()
  @IsInt({ message: OVERLAP })
  @Min(0, { message: OVERLAP })
  @Max(MAX_OVERLAP_SECONDS, { message: OVERLAP })
  overlapSeconds: number = 86_400;
}
