import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What codecs take: the memory to decode a source, and whether it has transparency, which encoders take more
 * for. Sources that nobody has looked at say that they have, and no row is written for it, however many there
 * are and whoever uploads meanwhile; that a JPEG has none all the same is known where it is read
 * (`src/uploads/sources/sources.repository.ts`).
 */
export class SourceAlpha1732700000000 implements MigrationInterface {
  readonly name = 'SourceAlpha1732700000000';

  async up(runner: QueryRunner): Promise<void> {
    // A constant default is kept in the catalog of the database, not in the rows.
    await runner.query(
      `ALTER TABLE sources ADD COLUMN has_alpha boolean NOT NULL DEFAULT true, ADD COLUMN decoding_bytes bigint`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sources DROP COLUMN has_alpha, DROP COLUMN decoding_bytes`);
  }
}
