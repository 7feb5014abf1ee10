import type { QueryRunner } from 'typeorm';
import type { Migration } from '../migration.js';

const UP = [
  `ALTER TABLE model_choices
     ADD COLUMN canary_version integer CHECK (canary_version > 0),
     ADD COLUMN canary_percent integer CHECK (canary_percent BETWEEN 1 AND 100),
     ADD COLUMN canary_by text CHECK (canary_by IN ('account', 'key')),
     ADD COLUMN canary_since timestamptz,
     ADD CONSTRAINT model_choices_canary
       CHECK (num_nulls(canary_version, canary_percent, canary_by, canary_since) IN (0, 4))`,
  `ALTER TABLE model_workers ADD COLUMN canaries jsonb NOT NULL DEFAULT '[]'`,
];

/** Model versions that serve a share of the customers, and the workers that have loaded them. */
export class ModelCanaries1733812001000 implements Migration {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }
}
