import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The result of one delivery attempt. */
@Entity('webhook_attempts')
export class AttemptEntity {
  @PrimaryColumn('text', { name: 'delivery_id' })
  deliveryId: string;

  /** Starts at 1. */
  @PrimaryColumn('integer')
  number: number;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  @Column('integer', { name: 'duration_ms' })
  durationMs: number;

  @Column('integer', { name: 'response_status', nullable: true })
  responseStatus: number | null;

  /** At most 4 kB of it. */
  @Column('text', { name: 'response_body', nullable: true })
  responseBody: string | null;

  /** Why there is no response, or only a part of one. */
  @Column('text', { nullable: true })
  error: string | null;
}
