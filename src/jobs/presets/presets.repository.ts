import { Injectable } from '@nestjs/common';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { withCurrentUrls } from '../creation/urls/current-urls.js';
import type { Preset } from './preset.js';

const COLUMNS = 'name, operations, output, created_at AS "createdAt", updated_at AS "updatedAt"';

const LIST: Prepared = {
  name: 'preset_list',
  text: `SELECT ${COLUMNS} FROM presets WHERE account_id = $1 ORDER BY name`,
};

const FIND: Prepared = {
  name: 'preset_find',
  text: `SELECT ${COLUMNS} FROM presets WHERE account_id = $1 AND name = $2`,
};

/** Serializes the changes of an account's presets without blocking references to it. */
const LOCK_ACCOUNT: Prepared = {
  name: 'preset_lock_account',
  text: 'SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

const COMPARE: Prepared = {
  name: 'preset_compare',
  text: `SELECT ${COLUMNS}, operations = $3::jsonb AND output IS NOT DISTINCT FROM $4::jsonb AS "isSame"
           FROM presets WHERE account_id = $1 AND name = $2`,
};

const INSERT: Prepared = {
  name: 'preset_insert',
  text: `INSERT INTO presets (account_id, name, operations, output, created_at, updated_at)
         SELECT $1, $2, $3::jsonb, $4::jsonb, now(), now()
          WHERE (SELECT count(*) FROM presets WHERE account_id = $1) < $5::int
         RETURNING ${COLUMNS}`,
};

const UPDATE: Prepared = {
  name: 'preset_update',
  text: `UPDATE presets SET operations = $3::jsonb, output = $4::jsonb, updated_at = now()
          WHERE account_id = $1 AND name = $2 RETURNING ${COLUMNS}`,
};

const DELETE: Prepared = {
  name: 'preset_delete',
  text: 'DELETE FROM presets WHERE account_id = $1 AND name = $2 RETURNING name',
};

/** `full`: the account has as many presets as it may have. */
export type SaveOutcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly preset: Preset }
  | { readonly kind: 'full' };

/** The presets that accounts saved. */
@Injectable()
export class PresetsRepository {
  constructor(private readonly fileUrls: FileUrls) {}

  /** By name. */
  async list(on: Queryable, accountId: string): Promise<Preset[]> {
    const rows = await on.query<Preset>(LIST, [accountId]);
    return rows.map((row) => withCurrentUrls<Preset>(row, this.fileUrls));
  }

  async find(on: Queryable, accountId: string, name: string): Promise<Preset | undefined> {
    const [row] = await on.query<Preset>(FIND, [accountId, name]);
    return row && withCurrentUrls<Preset>(row, this.fileUrls);
  }

  /** Adds or replaces a preset. Never exceeds `max`, even under concurrency. */
  async save(
    tx: Queryable,
    accountId: string,
    { name, operations, output }: Pick<Preset, 'name' | 'operations' | 'output'>,
    max: number,
  ): Promise<SaveOutcome> {
    await tx.query(LOCK_ACCOUNT, [accountId]);
    const values = [accountId, name, JSON.stringify(operations), output && JSON.stringify(output)];
    const [known] = await tx.query<Preset & { isSame: boolean }>(COMPARE, values);
    if (known === undefined) {
      const [created] = await tx.query<Preset>(INSERT, [...values, max]);
      return created === undefined ? { kind: 'full' } : { kind: 'created', preset: created };
    }
    if (known.isSame) return { kind: 'unchanged', preset: known };
    const [updated] = await tx.query<Preset>(UPDATE, values);
    return { kind: 'updated', preset: updated! };
  }

  /** False when it did not exist. */
  async delete(tx: Queryable, accountId: string, name: string): Promise<boolean> {
    return (await tx.query(DELETE, [accountId, name])).length === 1;
  }
}
