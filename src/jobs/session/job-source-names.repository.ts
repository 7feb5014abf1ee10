import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';

const NAMES_OF_JOBS: Prepared = {
  name: 'dashboard_source_names_of_jobs',
  text: `SELECT j.id, s.name FROM jobs j JOIN sources s ON s.id = j.source_id
          WHERE j.id = ANY ($2) AND j.account_id = $1 AND s.name IS NOT NULL`,
};

const KEPT_OF_JOBS: Prepared = {
  name: 'dashboard_kept_sources_of_jobs',
  text: `SELECT j.id, s.name FROM jobs j JOIN sources s ON s.id = j.source_id
          WHERE j.id = ANY ($2) AND j.account_id = $1 AND s.deleted_at IS NULL`,
};

@Injectable()
export class JobSourceNamesRepository {
  constructor(private readonly database: Database) {}

  /** The file names of the photos that these jobs were made from; jobs of a photo without a name are missing. */
  async namesOf(accountId: string, jobIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (jobIds.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; name: string }>(NAMES_OF_JOBS, [accountId, jobIds]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The file names, or null, of the photos that still exist; jobs of a deleted photo are missing. */
  async keptOf(accountId: string, jobIds: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    if (jobIds.length === 0) return new Map();
    const asked = [accountId, jobIds];
    const rows = await this.database.query<{ id: string; name: string | null }>(KEPT_OF_JOBS, asked);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}
