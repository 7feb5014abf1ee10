import { Transform } from 'class-transformer';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
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
import { type Scope, SCOPES } from '../../kernel/scopes.js';
import { IsNetworkList } from './network.validator.js';

/** `replaced`: works beside its successor until it expires. */
export type KeyStatus = 'active' | 'replaced' | 'expired' | 'revoked';

export interface KeyDto {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly Scope[];
  readonly status: KeyStatus;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly replacedById: string | null;
  /** Networks (CIDR) from which it may be used; null: from anywhere. */
  readonly allowedIps: readonly string[] | null;
}

/** With the secret, this once. */
export interface IssuedKeyDto extends KeyDto {
  readonly key: string;
}

export interface Upgrade {
  readonly plan: string;
  readonly url: string;
  readonly note?: string;
}

export interface KeyListDto {
  readonly data: readonly KeyDto[];
  /** Keys the plan allows, and those that count against it. */
  readonly limit: number;
  readonly active: number;
  /** Null while there is room. */
  readonly upgrade: Upgrade | null;
}

/** Networks of one key. */
const MAX_NETWORKS = 50;

/** A week, as for the signing secrets of webhooks. */
const MAX_OVERLAP_SECONDS = 604_800;
const OVERLAP = `overlapSeconds must be a whole number from 0 to ${MAX_OVERLAP_SECONDS}`;

export class CreateKeyDto {
  @IsDefined({ message: 'name is required' })
  @IsPlainText(80)
  @MinLength(1, { message: 'name must not be empty' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  name: string;

  @IsOmittable()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  @IsNullable()
  @IsInstant()
  expiresAt?: string | null;

  /** Null or empty: from anywhere. */
  @IsNullable()
  @IsNetworkList(MAX_NETWORKS)
  allowedIps?: string[] | null;
}

/** Changes what is given and nothing else. */
export class UpdateKeyDto {
  @IsOmittable()
  @IsPlainText(80)
  @MinLength(1, { message: 'name must not be empty' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  name?: string;

  @IsOmittable()
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes?: Scope[];

  @IsNullable()
  @IsInstant()
  expiresAt?: string | null;

  @IsNullable()
  @IsNetworkList(MAX_NETWORKS)
  allowedIps?: string[] | null;
}

@OptionalBody()
export class RotateKeyDto {
  /** How long the old key works beside the new one. */
  @IsOmittable()
  @IsInt({ message: OVERLAP })
  @Min(0, { message: OVERLAP })
  @Max(MAX_OVERLAP_SECONDS, { message: OVERLAP })
  overlapSeconds: number = 86_400;
}
