import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import {
  FlowPgBouncer,
  pgBouncerVersion,
  tracksPreparedStatements,
} from '../../support/database/flow-pgbouncer.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { FlowService } from '../../support/roles/flow-service.js';

const REQUESTS = 60;
const TINY_ORDER = { operation: 'smooth_skin' } as const;

const CASES = [
  { what: 'without prepared statements', settings: {}, env: { DATABASE_PREPARED_STATEMENTS: 'false' } },
  ...(tracksPreparedStatements
    ? [{ what: 'with max_prepared_statements', settings: { max_prepared_statements: '100' }, env: {} }]
    : []),
];

describe.skipIf(pgBouncerVersion === undefined)('PgBouncer in transaction mode (needs pgbouncer)', () => {
  describe.each(CASES)('$what', ({ settings, env }) => {
    let database: TestDatabase;
    let bouncer: FlowPgBouncer;
    let service: FlowService;
    let client: FlowClient;

    beforeAll(async () => {
      database = await createTestDatabase();
      bouncer = await FlowPgBouncer.start(database.databaseUrl, settings);
      service = await FlowService.start({
        // The test creates accounts and reads rows without the pooler.
        databaseUrl: database.databaseUrl,
        env: { DATABASE_URL: bouncer.databaseUrl, DATABASE_DIRECT_URL: database.databaseUrl, ...env },
      });
      client = await service.client();
    });
    afterAll(async () => {
      await service?.close();
      await bouncer?.close();
      await database?.drop();
    });

    it('serves parallel requests of every kind', async () => {
      const { url } = await client.upload(await solidFile(16, 16, [90, 80, 70]));
      const order = { sourceUrl: url, ...TINY_ORDER };
      const kinds = [
        () => client.request('POST', '/api/ai/enhance', order),
        () => client.request('GET', '/api/ai/enhance'),
        () => client.request('GET', '/api/ai/sources'),
        () => client.request('GET', '/api/usage'),
      ] as const;
      const answers = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) => kinds[index % kinds.length]!()),
      );
      const refused = answers.filter(({ status }) => status >= 400);
      expect(refused.map(({ status, json }) => ({ status, json }))).toEqual([]);
      const made = answers.filter(({ status }) => status === 201).map(({ json }) => json['id'] as string);
      expect(made).toHaveLength(REQUESTS / kinds.length);
      for (const id of made) expect((await client.completed(id)).attempts).toBe(1);
    });

    it('notifies a waiting client when its job ends, over the direct connection', async () => {
      const { url } = await client.upload(await solidFile(16, 16, [10, 80, 70]));
      const { id } = await client.create(url, TINY_ORDER);
      const answer = await client.request('GET', `/api/ai/enhance/${id}`, undefined, { prefer: 'wait=60' });
      expect(answer.json).toMatchObject({ id, status: 'completed' });
      const listening = await service.database.rows(
        `SELECT DISTINCT application_name AS name FROM pg_stat_activity
          WHERE datname = current_database() AND application_name LIKE '%-listen' ORDER BY 1`,
      );
      expect(listening).toContainEqual({ name: 'ies-api-listen' });
    });

    it('limits statements within a transaction, and leaks no setting to the next client', async () => {
      const dataSource = createDataSource({
        databaseUrl: bouncer.databaseUrl,
        poolSize: 2,
        applicationName: 'test',
        traits: { isPooled: true, preparedStatements: false },
      });
      await dataSource.initialize();
      try {
        const pooled = new Database(dataSource);
        const limit = 'SHOW statement_timeout';
        expect(await pooled.transaction((tx) => tx.query(limit))).toEqual([{ statement_timeout: '30s' }]);
        expect(await pooled.query(limit)).toEqual([{ statement_timeout: '0' }]);
      } finally {
        await dataSource.destroy();
      }
    });
  });
});
