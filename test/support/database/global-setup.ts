import type { TestProject } from 'vitest/node';
import { startTestPostgres, type TestPostgres } from './test-postgres.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the migrated database that every test database is a copy of. */
    templateUrl: string;
  }
}

let postgres: TestPostgres | undefined;

/** Called by vitest once, before the first spec. */
export async function setup(project: TestProject): Promise<void> {
  postgres = await startTestPostgres();
  project.provide('templateUrl', postgres.templateUrl);
}

/** Called by vitest once, after the last spec. */
export async function teardown(): Promise<void> {
  await postgres?.stop();
}
