import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tells of a new job as of a changed one, so that an open list shows what a program has just created. The
 * events of the same transaction are told anyhow; one more notice costs next to nothing.
 */
export class JobMade1732810000000 implements MigrationInterface {
  readonly name = 'JobMade1732810000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TRIGGER jobs_made AFTER INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION notify_job_changed()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER jobs_made ON jobs');
  }
}
