import type { TestProject } from 'vitest/node';
import { setup as setUpBuild } from '../../../scripts/lib/setup.mjs';
import { startTestPostgres, type TestPostgres } from './test-postgres.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of the migrated database that every test database is copied from. */
    templateUrl: string;
    /** A folder that is removed at the end of the run. */
    runDir: string;
  }
}

/** Each project loads this module again, so shared state is stored on the process. */
interface Shared {
  postgres: Promise<TestPostgres>;
  users: number;
}
const shared = globalThis as { iesTestPostgres?: Shared | undefined };

/** Called by vitest before the first spec, once for each project that needs PostgreSQL and dist. */
export async function setup(project: TestProject): Promise<void> {
  await setUpBuild();
  const server = (shared.iesTestPostgres ??= { postgres: startTestPostgres(), users: 0 });
  server.users += 1;
  const { templateUrl, runDir } = await server.postgres;
  project.provide('templateUrl', templateUrl);
  project.provide('runDir', runDir);
}

/** Called by vitest after the last spec, as often as `setup`. */
export async function teardown(): Promise<void> {
  const server = shared.iesTestPostgres;
  if (server === undefined || (server.users -= 1) > 0) return;
  shared.iesTestPostgres = undefined;
  await (await server.postgres).stop();
}
