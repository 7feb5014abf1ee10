import type { MigrationInterface } from 'typeorm';

/**
 * A change of the schema, recorded under the name of its class. None can be undone: to roll back, the previous version
 * runs on the newer schema (docs/operations.md).
 */
export type Migration = Omit<MigrationInterface, 'down' | 'name'>;
