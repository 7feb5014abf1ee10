import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { ClientConfig } from 'pg';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { withClient } from '../../../src/infra/database/with-client.js';
import { QueueModule, queueOptions } from '../../../src/infra/queue/queue.module.js';
import { Metrics } from '../../../src/infra/telemetry/metrics.js';
import { createEmptyDatabase } from '../../support/database/postgres.js';

Logger.overrideLogger(false);

describe('the queue when a role starts', () => {
  it('fails startup when its database is unreachable, so that startup is retried', async () => {
    // Nothing listens on port 9 of this machine.
    const config = readConfig({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
    const configured = {
      module: class {},
      global: true,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Metrics, useValue: new Metrics('worker') },
      ],
      exports: [CONFIG, Metrics],
    };
    const app = await Test.createTestingModule({ imports: [configured, QueueModule] }).compile();
    await expect(app.init()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await app.close();
  });

  it('commits asynchronously, because a lost message is sent again', async () => {
    const database = await createEmptyDatabase();
    const { connection } = queueOptions(readConfig({ DATABASE_URL: database.databaseUrl }));
    const { rows } = await withClient(connection as ClientConfig, (client) =>
      client.query('SHOW synchronous_commit'),
    );
    await database.drop();
    expect(rows).toEqual([{ synchronous_commit: 'off' }]);
  });
});
