import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The list of an account's sources, however many it has deleted: those keep their rows. */
export class LiveSources1732710000000 implements MigrationInterface {
  readonly name = 'LiveSources1732710000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX sources_account_live ON sources (account_id, id DESC) WHERE deleted_at IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX sources_account_live`);
  }
}
