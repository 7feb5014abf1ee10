import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventChoice } from '../events/event-types.js';

/** Why an endpoint is disabled: by its owner, by a 410, or after days of failures. */
export const DISABLED_REASONS = ['manual', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** A replaced secret that still signs for a while. */
export interface PreviousSecret {
  /** Sealed bytes in base64; their context is the id of the endpoint. */
  readonly sealed: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

@Entity('webhook_endpoints')
export class EndpointEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'account_id' })
  accountId: string;

  @Column('text')
  url: string;

  /** Event types, or only `*` for all current and future types. */
  @Column('text', { array: true })
  events: EventChoice[];

  @Column('text', { nullable: true })
  description: string | null;

  @Column('jsonb')
  metadata: Record<string, string>;

  @Column('boolean')
  enabled: boolean;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason: DisabledReason | null;

  /** Its context is the id of the endpoint. */
  @Column('bytea', { name: 'sealed_secret' })
  sealedSecret: Buffer;

  @Column('jsonb', { name: 'previous_secrets' })
  previousSecrets: readonly PreviousSecret[];

  /** The first failure since the last success; null when the last attempt succeeded. */
  @Column('timestamptz', { name: 'first_failure_at', nullable: true })
  firstFailureAt: Date | null;

  @Column('timestamptz', { name: 'last_failure_at', nullable: true })
  lastFailureAt: Date | null;

  /** No attempts before this time (`Retry-After`). */
  @Column('timestamptz', { name: 'paused_until', nullable: true })
  pausedUntil: Date | null;

  /** A host that jobs call back: created and enabled by them, and shown nowhere. */
  @Column('boolean', { default: false })
  callback: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt: Date;
}

/** A row of a raw SQL statement, not an instance of the class. */
export type Endpoint = Pick<EndpointEntity, keyof EndpointEntity>;

/** Columns with the names of the entity, for raw SQL. */
export const ENDPOINT_COLUMNS = `
  id, account_id AS "accountId", url, events, description, metadata, enabled, disabled_reason AS "disabledReason",
  sealed_secret AS "sealedSecret", previous_secrets AS "previousSecrets", first_failure_at AS "firstFailureAt",
  last_failure_at AS "lastFailureAt", paused_until AS "pausedUntil", created_at AS "createdAt",
  updated_at AS "updatedAt", callback`;
