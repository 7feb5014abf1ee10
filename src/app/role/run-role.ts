import { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import type { INestApplicationContext } from '@nestjs/common';
import { type Config, ConfigError, readConfig } from '../../config/env.js';
import { misspelledVariables } from '../../config/misspelled-variables.js';
import { secretValues } from '../../config/settings-in-force.js';
import { SchemaOutdated } from '../../infra/database/migrate.js';
import { keepFilesPrivate } from '../../infra/storage/private-data-dir.js';
import { shutdownLimitMs } from '../../kernel/concurrency/drain.js';
import { ModelsUnreadable, requireModelsFolder } from '../../models/repository/models-folder.js';
import { LogTail } from '../../infra/telemetry/log-tail.js';
import { createLogger, NestLogger } from '../../infra/telemetry/logger.js';
import { HELD, type ServingState } from '../../roles/role-messages.js';
import { receiveDatabaseUrl, sendToSupervisor } from '../../roles/role-channel.js';
import { type Role, roleSettings, type RoleSettings } from '../../roles/role-settings.js';
import { StartError } from '../../roles/start-error.js';
import { endOnSignals } from './end-on-signals.js';
import { connectionRefusal } from '../../infra/database/database-errors.js';

/** A running role and how to shut it down. */
export interface RunningRole {
  readonly app: INestApplicationContext;
  /** Reported to the supervisor and the log when the role is ready. */
  readonly details?: Record<string, unknown>;
  /** The state of this process that a successor must know. */
  readonly standing?: ServingState;
  /** Whether the supervisor may ask the role to retire. It then exits by itself. */
  readonly canRetire?: boolean;
  /** What the role still waits for when it runs. It is reported as ready afterward; SIGTERM drains it meanwhile. */
  readonly untilReady?: () => Promise<void>;
  /** How long the role keeps working before it drains; default 0. */
  readonly delayMs?: number;
  /** Called before the application is closed. */
  readonly beforeClose?: () => Promise<void>;
  /** Called after the application is closed. */
  readonly afterClose?: () => Promise<void>;
  /** Exit code after an orderly shutdown; default 0. */
  readonly exitCode?: () => number;
}

/** Exit code for a wrong configuration: a restart would not help. */
const EXIT_CONFIG = 78;

/**
 * Runs one role until SIGTERM, or Ctrl-C without a supervisor; then drains and exits with 0. While the role starts,
 * SIGTERM ends it at once. Under a supervisor, Ctrl-C reaches every process of the terminal, so only the supervisor
 * decides the shutdown order. A role also exits when its supervisor has exited.
 * @param exit how the process exits; a role with device threads passes `exitAfterRuns`
 */
export async function runRole(
  role: Role,
  start: (settings: RoleSettings, logger: NestLogger) => Promise<RunningRole>,
  exit: (code: number) => unknown = (code) => process.exit(code),
): Promise<void> {
  endOnSignals(exit);
  try {
    keepFilesPrivate();
    const config = await wholeConfig();
    const tail = new LogTail(secretValues());
    const logger = new NestLogger(createLogger(role, config.logLevel, tail), tail);
    // A supervisor logs these warnings once for all its roles.
    if (process.send === undefined) for (const sentence of misspelledVariables()) logger.warn(sentence);
    if (role !== 'dispatcher' && config.modelsUrl === undefined) await requireModelsFolder(config.modelsDir);
    const running = await start(await roleSettings(role, config), logger);
    const stop = oneStop(running, config.drainTimeoutMs, exit);
    const supervised = process.send !== undefined;
    process.on('SIGTERM', stop);
    process.on('SIGINT', supervised ? () => undefined : stop);
    process.on('disconnect', stop);
    // The supervisor died while this role was starting: no stop message will arrive.
    if (supervised && !process.connected) stop();
    await running.untilReady?.();
    logger.log({ ...running.details }, 'ready', 'role');
    const { standing, canRetire } = running;
    void sendToSupervisor({ type: 'ready', standing, canRetire });
  } catch (error) {
    const isConfig = error instanceof ConfigError;
    const isKnown =
      isConfig || [StartError, SchemaOutdated, ModelsUnreadable].some((kind) => error instanceof kind);
    const known = isKnown ? (error as Error).message : connectionRefusal(error);
    process.stderr.write(`${known ?? `The ${role} could not start: ${String(error)}`}\n`);
    if (known === undefined && error instanceof Error && error.stack !== undefined)
      process.stderr.write(`${error.stack}\n`);
    exit(isConfig ? EXIT_CONFIG : 1);
  }
}

/** The configuration, including the database URL if that arrives later. */
async function wholeConfig(): Promise<Config> {
  const config = readConfig();
  return process.argv.includes(HELD) ? { ...config, databaseUrl: await receiveDatabaseUrl() } : config;
}

async function closeAll({ app, beforeClose, afterClose }: RunningRole): Promise<void> {
  await beforeClose?.();
  const tracing = app.get(Tracing, { strict: false });
  await app.close();
  await tracing.close();
  await afterClose?.();
}

function oneStop(running: RunningRole, drainTimeoutMs: number, exit: (code: number) => unknown): () => void {
  let stopping = false;
  return () => {
    if (stopping) return;
    stopping = true;
    const limitMs = (running.delayMs ?? 0) + shutdownLimitMs(drainTimeoutMs);
    // A fault does not change the exit code, because the shutdown was requested. Work in progress is recovered like
    // that of a process that died.
    const end = (fault?: string): void => {
      if (fault !== undefined) process.stderr.write(`${fault}\n`);
      exit(running.exitCode?.() ?? 0);
    };
    setTimeout(() => end(`Still shutting down after ${limitMs} ms; exiting.`), limitMs).unref();
    closeAll(running).then(
      () => end(),
      (error: unknown) => end(`Shutting down failed: ${String(error)}`),
    );
  };
}
