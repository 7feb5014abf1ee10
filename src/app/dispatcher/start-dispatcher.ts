import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database } from '../../infra/database/database.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { sharedRead } from '../../infra/telemetry/shared-read.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import type { RunningRole } from '../role/run-role.js';
import { serveMetrics } from '../role/serve-metrics.js';
import { DispatcherModule } from './dispatcher.module.js';

export async function startDispatcher(settings: RoleSettings, logger: LoggerService): Promise<RunningRole> {
  const { dispatcherHost: host, dispatcherPort: port, metricsToken: token } = settings.config;
  const app = await NestFactory.createApplicationContext(DispatcherModule.for(settings), {
    logger,
    abortOnError: false,
  });
  const database = app.get(Database);
  const answers = sharedRead(() => database.query('SELECT 1'));
  const notReady = async (): Promise<string | undefined> =>
    (await answers()) === undefined ? 'database: unavailable' : undefined;
  const metricsServer = serveMetrics('dispatcher', app.get(Metrics), logger, { host, port, token, notReady });
  return {
    app,
    beforeClose: async () => metricsServer?.drain(),
    afterClose: async () => metricsServer?.close(),
  };
}
