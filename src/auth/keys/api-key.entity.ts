import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Scope } from '../../kernel/scopes.js';

@Entity('api_keys')
export class ApiKeyEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'account_id' })
  accountId: string;

  @Column('text')
  name: string;

  @Column('bytea')
  hash: Buffer;

  @Column('text')
  prefix: string;

  @Column('text')
  last4: string;

  /** False for a key of test mode. */
  @Column('boolean', { default: true })
  livemode: boolean;

  @Column('text', { array: true })
  scopes: Scope[];

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column('timestamptz', { name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  /** Networks (CIDR) from which it may be used; null: any address. */
  @Column('text', { name: 'allowed_ips', array: true, nullable: true })
  allowedIps: string[] | null;

  /** The key that replaced it; this one works in parallel until it expires. */
  @Column('text', { name: 'replaced_by', nullable: true })
  replacedBy: string | null;
}
