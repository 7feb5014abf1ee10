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

/** Keys checked before a database and a store without a common id are accepted as a pair. */
const SAMPLE = 200;

/**
 * Checks that the database and the object store belong together. Both contain the same id, so that a wrong
 * DATABASE_URL or DATA_DIR is detected before objects without a row are deleted.
 */
@Injectable()
export class StorePairing {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
    private readonly knownObjects: ReferencedObjects,
  ) {}

  /** Whether they belong together. Assigns an id to both when neither has one and nothing contradicts it. */
  async isPaired(): Promise<boolean> {
    const inDatabase = await this.idInDatabase();
    const inStore = await this.store.installationId();
    if (inDatabase !== undefined && inStore !== undefined) return inDatabase === inStore;
    if (!(await this.shareObjects())) return false;
    await this.database.query(CLAIM, [inDatabase ?? inStore ?? randomUUID()]);
    // The first process decides the id.
    const agreed = (await this.idInDatabase())!;
    await this.store.claimFor(agreed);
    return (await this.store.installationId()) === agreed;
  }

  private async idInDatabase(): Promise<string | undefined> {
    return (await this.database.query<{ id: string }>(READ))[0]?.id;
  }

  /**
   * Whether nothing is stored yet, or the database knows an object. Object ids are random, so a foreign store has none
   * of them.
   */
  private async shareObjects(): Promise<boolean> {
    const keys: string[] = [];
    for await (const key of this.store.keysOlderThan(0)) {
      keys.push(key);
      if (keys.length === SAMPLE) break;
    }
    return keys.length === 0 || (await this.knownObjects.unknownOf(keys)).length < keys.length;
  }
}
