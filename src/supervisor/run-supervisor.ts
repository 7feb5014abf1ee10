import { ConfigError, readConfig } from '../config/env.js';
import { EmbeddedPostgresError } from '../infra/database/embedded/embedded-postgres-error.js';
import { misspelledVariables } from '../config/misspelled-variables.js';
import { createLogger } from '../infra/telemetry/logger.js';
import { StartError } from '../roles/start-error.js';
import { Supervisor } from './supervisor.js';

/** npm forwards the terminal's Ctrl-C to a process that already received it; the second signal is ignored. */
const SAME_PRESS_MS = 1_000;
const EXIT_CONFIG = 78;

/** Runs the service until a signal stops it. @returns the exit code */
export async function runSupervisor(): Promise<number> {
  try {
    const config = readConfig();
    const log = createLogger('supervisor', config.logLevel);
    for (const sentence of misspelledVariables()) log.warn(sentence);
    const supervisor = new Supervisor(config, log, (line) => process.stdout.write(`${line}\n`));
    stopOnSignals(supervisor, (text) => log.info(text));
    // If another program started the supervisor, such as the demo, it exits when that program has exited.
    process.once('disconnect', () => supervisor.stop());
    await supervisor.run();
    return 0;
  } catch (error) {
    // Errors that people can fix are one sentence. Others are bugs and are logged with their stack.
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
      say(
        'shutting down: running jobs finish or return to the queue; press Ctrl-C again to stop immediately',
      );
      supervisor.stop();
    } else if (signal === 'SIGINT' && nowMs - firstMs > SAME_PRESS_MS) {
      supervisor.force();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}
