import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { ReferencedObjects } from './referenced-objects.js';

const READ: Prepared = { name: 'installation_read', text: 'SELECT id FROM installation' };

const CLAIM: Prepared = {
  name: 'installation_claim',
  text: 'INSERT INTO installation (id) VALUES ($1) ON CONFLICT DO NOTHING',
};

/** Keys that are looked at before a database and a store without a common id are taken for a pair. */
const SAMPLE = 200;

/**
 * Checks that database and object store belong together. Both carry the installation's id, so that a wrong
 * DATABASE_URL or DATA_DIR is noticed before objects without a row are deleted.
 */
@Injectable()
export class Installation {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
    private readonly knownObjects: ReferencedObjects,
  ) {}

  /**
   * Whether they belong together; gives both their id when one has none yet and nothing speaks against it.
   */
  async isWhole(): Promise<boolean> {
    const inDatabase = await this.idInDatabase();
    const inStore = await this.store.installationId();
    if (inDatabase !== undefined && inStore !== undefined) return inDatabase === inStore;
    if (!(await this.knowEachOther())) return false;
    await this.database.query(CLAIM, [inDatabase ?? inStore ?? randomUUID()]);
    // Whoever was first has said which id it is.
    const agreed = (await this.idInDatabase())!;
    await this.store.claimFor(agreed);
    return (await this.store.installationId()) === agreed;
  }

  private async idInDatabase(): Promise<string | undefined> {
    return (await this.database.query<{ id: string }>(READ))[0]?.id;
  }

  /** Nothing is stored yet, or the database knows an object. Ids are random: a foreign one cannot. */
  private async knowEachOther(): Promise<boolean> {
    const keys: string[] = [];
    for await (const key of this.store.keysOlderThan(0)) {
      keys.push(key);
      if (keys.length === SAMPLE) break;
    }
    return keys.length === 0 || (await this.knownObjects.unknownOf(keys)).length < keys.length;
  }
}
