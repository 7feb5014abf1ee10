import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/env.js';
import { CONFIG } from '../../../src/config/tokens.js';
import { QueueModule } from '../../../src/infra/queue/queue.module.js';

Logger.overrideLogger(false);

describe('the queue at the start of a role', () => {
  it('fails the start when it cannot be reached, so that it is tried again', async () => {
    // Port 9 of this machine: nothing listens there.
    const config = readConfig({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none' });
    const configured = {
      module: class {},
      global: true,
      providers: [{ provide: CONFIG, useValue: config }],
      exports: [CONFIG],
    };
    const app = await Test.createTestingModule({ imports: [configured, QueueModule] }).compile();
    await expect(app.init()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await app.close();
  });
});
