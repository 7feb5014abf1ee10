import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

const UP = [
  `CREATE TABLE model_choices (
     operation text PRIMARY KEY,
     serving integer CHECK (serving > 0),
     previous integer CHECK (previous > 0),
     changed_at timestamptz NOT NULL DEFAULT now())`,
  `ALTER TABLE model_workers ADD COLUMN available jsonb NOT NULL DEFAULT '[]'`,
];

/** Which version of an operation serves, and the versions in the model repository of each worker. */
export class ModelChoices1733812000000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}
