import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { Plan, PlanLimits } from '../kernel/plans.js';

@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text')
  email: string;

  @Column('text')
  plan: Plan;

  /** Limits agreed with this account. They override those of its plan. */
  @Column('jsonb', { nullable: true })
  limits: Partial<PlanLimits> | null;

  /** Whether jobs may reuse the results of earlier identical jobs. */
  @Column('boolean', { name: 'result_cache', default: false })
  resultCache: boolean;

  /** PHC string; null for an account that uses only keys. Not selected by default. */
  @Column('text', { name: 'password_hash', nullable: true, select: false })
  passwordHash?: string | null;

  /** When the account got the operator role; null without the role. */
  @Column('timestamptz', { name: 'operator_since', nullable: true })
  operatorSince: Date | null;

  /** When an operator suspended the account; null while it is active. */
  @Column('timestamptz', { name: 'suspended_at', nullable: true })
  suspendedAt: Date | null;

  /** The reason, which the customer sees. */
  @Column('text', { name: 'suspended_reason', nullable: true })
  suspendedReason: string | null;

  /** When a temporary password expires; null for a password that the user chose. */
  @Column('timestamptz', { name: 'password_expires_at', nullable: true })
  passwordExpiresAt: Date | null;

  /** The name of an organization; null for a user's account. */
  @Column('text', { nullable: true })
  name: string | null;

  /** The user who created the organization; null for a user's account. */
  @Column('text', { name: 'owner_id', nullable: true })
  ownerId: string | null;

  /** When the user verified the email address; null before that. */
  @Column('timestamptz', { name: 'email_verified_at', nullable: true })
  emailVerifiedAt: Date | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;
}
