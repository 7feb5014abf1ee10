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

  /** Where the latest attempt went, or the next one goes. */
  @Column('text')
  url: string;

  @Column('text')
  status: DeliveryStatus;

  @Column('integer', { name: 'attempt_count', default: 0 })
  attemptCount: number;

  /** Which pause of the schedule comes before the next attempt. */
  @Column('integer', { default: 0 })
  step: number;

  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt: Date | null;

  /** When it may be taken in hand: at the next attempt, or when the lease of the one that runs ends. */
  @Column('timestamptz', { name: 'due_at', nullable: true })
  dueAt: Date | null;

  /** How often it was taken in hand; the number of a claim is its token. */
  @Column('integer', { default: 0 })
  claims: number;

  /** Whether an attempt is (or, after a crash, was) under way. */
  @Column('boolean', { default: false })
  claimed: boolean;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'delivered_at', nullable: true })
  deliveredAt: Date | null;
}
