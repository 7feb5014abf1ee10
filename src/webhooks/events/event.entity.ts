import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AnyEventType } from './event-types.js';

/** An outbox row, written in the transaction of the change that it reports. */
@Entity('events')
export class EventEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'account_id' })
  accountId: string;

  @Column('text')
  type: AnyEventType;

  @Column('jsonb')
  data: Record<string, unknown>;

  /** The trace in which it was written, as a `traceparent` header. */
  @Column('text', { nullable: true })
  traceparent: string | null;

  /** Where to send it in addition to endpoints, if its job asked for that. */
  @Column('text', { name: 'callback_url', nullable: true })
  callbackUrl: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'dispatched_at', nullable: true })
  dispatchedAt: Date | null;
}
