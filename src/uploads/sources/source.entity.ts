import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ImageFormat } from '../../kernel/operations.js';

/** PostgreSQL's bigint as a number: sizes here stay far below 2^53. */
const asNumber = { to: (value: number): number => value, from: (value: string): number => Number(value) };
const asNumberOrNull = {
  to: (value: number | null): number | null => value,
  from: (value: string | null): number | null => (value === null ? null : Number(value)),
};

/** An uploaded image. Deleted ones keep their row, because jobs refer to it. */
@Entity('sources')
export class SourceEntity {
  @PrimaryColumn('text')
  id: string;

  @Column('text', { name: 'account_id' })
  accountId: string;

  @Column('text', { name: 'object_key' })
  objectKey: string;

  @Column('text')
  format: ImageFormat;

  /** Pixels, after the EXIF orientation is applied. */
  @Column('integer')
  width: number;

  @Column('integer')
  height: number;

  @Column('bigint', { transformer: asNumber })
  bytes: number;

  @Column('text')
  sha256: string;

  /** The file name of the upload; null when the client sent none, and for uploads from before names were kept. */
  @Column('text', { nullable: true })
  name: string | null;

  /** Determines the memory for encoding a result. True for older sources that were not examined: see `findForJob`. */
  @Column('boolean', { name: 'has_alpha', default: true })
  hasAlpha: boolean;

  /** Memory for decoding; null for older sources. */
  @Column('bigint', { name: 'decoding_bytes', nullable: true, transformer: asNumberOrNull })
  decodingBytes: number | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'deleted_at', nullable: true })
  deletedAt: Date | null;
}
