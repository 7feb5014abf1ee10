import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Scratch } from '../../../src/infra/storage/scratch.js';
import { smallCodecs } from '../../support/images/small-codecs.js';

describe('the codecs of a worker that runs one job at a time', () => {
  let dataDir: string;
  let scratch: Scratch;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'worker-codecs-'));
    scratch = await Scratch.open(join(dataDir, 'scratch'));
  });
  afterEach(async () => {
    await scratch.close();
    await rm(dataDir, { recursive: true });
  });

  it('refuse neither its job nor a test job, a comparison or a shadow run', async () => {
    const codecs = smallCodecs(dataDir, scratch);
    try {
      for (const { pool } of [codecs.decoder, codecs.encoder]) {
        const users = ['the job', 'a test job', 'a comparison', 'a shadow run'];
        expect(await Promise.all(users.map((user) => pool.use(async () => user)))).toEqual(users);
      }
    } finally {
      await codecs.close();
    }
  });
});
