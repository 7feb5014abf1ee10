import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config/env.js';
import { examineStore } from '../../src/cli/doctor/examine-store.js';
import { freePort } from '../../src/infra/database/embedded/free-port.js';
import { DOCKER, readCompose } from '../support/containers/compose-files.js';
import { ListeningProgram } from '../support/roles/listening-program.js';
import { missingS3Server, VERSITYGW } from '../support/storage/s3-server.js';

const missing = missingS3Server('versitygw');
const why = missing === undefined ? '' : ` (skipped: needs ${missing})`;

describe.skipIf(missing !== undefined)(`the service s3 of docker/compose.s3.yaml${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ies-compose-s3-'));
  const credentials = join(folder, 'secrets', 's3_credentials');
  const { services } = readCompose('compose.s3.yaml');
  let gateway: ListeningProgram;

  beforeAll(async () => {
    cpSync(join(DOCKER, 'secrets.sh'), join(folder, 'secrets.sh'));
    expect(spawnSync(join(folder, 'secrets.sh')).status).toBe(0);
    const { command, environment = {} } = services['s3']!;
    // Compose writes `$$` for `$`; the paths are those inside the container.
    const text = command![0]!
      .replaceAll('$$', '$')
      .replaceAll('/run/secrets/s3_credentials', credentials)
      .replaceAll('/objects', join(folder, 'objects'))
      .replace('exec versitygw', `exec ${VERSITYGW}`);
    const port = await freePort();
    gateway = await ListeningProgram.start(['sh', '-euc', text], {
      port,
      env: { ...environment, VGW_PORT: `127.0.0.1:${port}` },
    });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await gateway?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is healthy and creates the bucket that the roles use', async () => {
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
    expect(readdirSync(join(folder, 'objects'))).toContain('images');
  });

  it('accepts only the credentials that the roles read from their file', async () => {
    const { environment = {} } = services['api']!;
    const config = readConfig({
      DATA_DIR: folder,
      OBJECT_STORE_URL: /:-(.*)\}$/.exec(environment['OBJECT_STORE_URL']!)![1]!,
      S3_ENDPOINT: gateway.url,
      S3_FORCE_PATH_STYLE: environment['S3_FORCE_PATH_STYLE']!,
    });
    for (const name of ['AWS_PROFILE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
      vi.stubEnv(name, undefined);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', credentials);
    expect(await examineStore(config)).toMatchObject([{ status: 'ok' }]);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'nobody');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'nothing');
    expect(await examineStore(config)).toMatchObject([{ status: 'missing' }]);
  });
});
