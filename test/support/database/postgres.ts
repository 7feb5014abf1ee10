import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { withClient } from '../../../src/infra/database/with-client.js';

/** A separate database, migrated and empty. */
export interface TestDatabase {
  readonly databaseUrl: string;
  /** Deletes it and ends every open connection. */
  drop(): Promise<void>;
}

/** Copies the run's migrated template: some 50 ms instead of a start and the migrations. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate(inject('templateUrl'));
}

/** A database without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createFrom(inject('templateUrl'), 'template0');
}

/** Like `createTestDatabase`, but works outside of a spec. */
export function copyTemplate(templateUrl: string): Promise<TestDatabase> {
  return createFrom(templateUrl, new URL(templateUrl).pathname.slice(1));
}

async function createFrom(templateUrl: string, template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await maintain(templateUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    databaseUrl: withDatabase(templateUrl, name),
    drop: () => maintain(templateUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

function withDatabase(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function maintain(templateUrl: string, statement: string): Promise<void> {
  const connectionString = withDatabase(templateUrl, 'postgres');
  await withClient({ connectionString }, (client) => client.query(statement));
}
