import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether a source has transparency: encoders take more memory for it. Where nobody has looked, a format that can has it. */
export class SourceAlpha1732700000000 implements MigrationInterface {
  readonly name = 'SourceAlpha1732700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sources ADD COLUMN has_alpha boolean`);
    await runner.query(`UPDATE sources SET has_alpha = format <> 'jpeg'`);
    await runner.query(
      `ALTER TABLE sources ALTER COLUMN has_alpha SET DEFAULT true, ALTER COLUMN has_alpha SET NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sources DROP COLUMN has_alpha`);
  }
}
