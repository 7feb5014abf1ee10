import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../events/event-types.js';

export const DELIVERY_STATUSES = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One event on its way to one endpoint. */
@Entity('webhook_deliveries')
export class DeliveryEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'account_id' })
  accountId: string;

  @Column('text', { name: 'endpoint_id' })
  endpointId: string;

  @Column('text', { name: 'event_id' })
  eventId: string;

  @Column('text', { name: 'event_type' })
  eventType: EventType;

  /** URL of the latest or the next attempt. */
  @Column('text')
  url: string;

  @Column('text')
  status: DeliveryStatus;

  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount: number;

  /** Index in the schedule of the delay before the next attempt. */
  @Column('integer', { default: 0 })
  step: number;

  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** When it may be claimed: at the next attempt, or when the lease of the current one expires. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt: Date | null;

  /** Number of claims; the number is the token of a claim. */
  @Column('integer', { default: 0 })
  claims: number;

  /** Whether an attempt is in progress (or was, before a crash). */
  @Column('boolean', { default: false })
  claimed: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;
}
