import { ConfigError, readConfig } from '../config/env.js';
import { EmbeddedPostgresError } from '../infra/database/embedded/embedded-postgres-error.js';
import { misspeltVariables } from '../config/misspelt-variables.js';
import { createLogger } from '../infra/telemetry/logger.js';
import { StartError } from './start-error.js';
import { Supervisor } from './supervisor.js';

/** npm passes the terminal's Ctrl-C on to a process that already got it; the second of the two means nothing. */
const SAME_PRESS_MS = 1_000;
const EXIT_CONFIG = 78;

/** Runs the service until a signal ends it. @returns the exit code */
export async function runSupervisor(): Promise<number> {
  try {
    const config = readConfig();
    const log = createLogger('supervisor', config.logLevel);
    for (const sentence of misspeltVariables()) log.warn(sentence);
    const supervisor = new Supervisor(config, log, (line) => process.stdout.write(`${line}\n`));
    stopOnSignals(supervisor, (text) => log.info(text));
    // Started by another program (the demonstration): ends when that one is gone.
    process.once('disconnect', () => supervisor.stop());
    await supervisor.run();
    return 0;
  } catch (error) {
    // What a person can act on is one sentence; anything else is a fault of ours and shows where.
    const isKnown =
      error instanceof StartError || error instanceof EmbeddedPostgresError || error instanceof ConfigError;
    const stack = error instanceof Error ? error.stack : undefined;
    process.stderr.write(`${isKnown ? error.message : (stack ?? String(error))}\n`);
    return error instanceof ConfigError ? EXIT_CONFIG : 1;
  }
}

function stopOnSignals(supervisor: Supervisor, say: (text: string) => void): void {
  let firstMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const nowMs = performance.now();
    if (firstMs === undefined) {
      firstMs = nowMs;
      say('draining: running work ends or goes back to the queue; Ctrl-C again ends it at once');
      supervisor.stop();
    } else if (signal === 'SIGINT' && nowMs - firstMs > SAME_PRESS_MS) {
      supervisor.force();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
