import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

/**
 * Adds what determines the memory of codecs: the memory to decode a source, and whether it has transparency, for which
 * encoders need more. Existing sources, which were never checked, count as transparent by default, so no row is
 * rewritten. The code that reads them knows that a JPEG has no transparency
 * (`src/uploads/sources/sources.repository.ts`).
 */
export class SourceAlpha1732700000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL keeps a constant default in its catalog: no row is rewritten.
    await runner.query(
      `ALTER TABLE sources ADD COLUMN has_alpha boolean NOT NULL DEFAULT true, ADD COLUMN decoding_bytes bigint`,
    );
  }
}
