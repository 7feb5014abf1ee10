import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { builtProgram, ensureFlowBuild } from '../../support/roles/flow-build.js';
import { flowEnvironment } from '../../support/roles/flow-environment.js';

const KEY = Buffer.alloc(32, 7).toString('base64');

describe('a role that is started in another folder than that of the service', () => {
  let folder: string;
  let database: TestDatabase;
  beforeAll(async () => {
    await ensureFlowBuild();
    database = await createTestDatabase();
    folder = await realpath(await mkdtemp(join(tmpdir(), 'ies-other-folder-')));
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it.each(['api', 'worker'])(
    '%s: says once what the models folder is relative to, and writes nothing',
    async (role) => {
      const child = spawn(process.execPath, [builtProgram(`main.${role}.js`)], {
        cwd: folder,
        env: flowEnvironment({
          DATABASE_URL: database.databaseUrl,
          URL_SIGNING_KEY: KEY,
          SEALING_KEY: KEY,
          PORT: '0',
        }),
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let output = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
      expect(await once(child, 'close')).toEqual([1, null]);
      expect(output).toBe(
        `The model repository ${folder}/models cannot be read; set MODELS_DIR to the models folder. ` +
          `A relative path, such as the default "./models", starts at the working directory ${folder}.\n`,
      );
      expect(await readdir(folder)).toEqual([]);
    },
  );
});
