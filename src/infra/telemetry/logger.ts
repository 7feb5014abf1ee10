import type { LoggerService } from '@nestjs/common';
import { destination, type Logger, pino } from 'pino';
import type { LogTail } from './log-tail.js';
import { logFields } from './tracing/work-context.js';

/**
 * Creates a logger that writes one JSON line per event to stderr. Stdout is for people.
 * @param tail also gets every line
 */
export function createLogger(role: string, level: string, tail?: LogTail): Logger {
  const stderr = destination({ dest: 2, sync: true });
  const both = {
    write: (line: string): void => {
      stderr.write(line);
      tail?.add(line);
    },
  };
  return pino(
    { level, base: { role, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, mixin: logFields },
    tail === undefined ? stderr : both,
  );
}

const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);
/** Nest logs an error that prevents a start before it throws it. The process that starts reports that error itself. */
const FAILED_START = 'ExceptionHandler';

/** Forwards Nest's log calls to pino. Nest passes the context last, preceded by a stack for errors. */
export class NestLogger implements LoggerService {
  /** @param tail keeps the most recent log lines */
  constructor(
    private readonly logger: Logger,
    readonly tail?: LogTail,
  ) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest logs every module and route at each start, which interests developers but not operators.
    this.write(FRAMEWORK.has(String(rest.at(-1))) ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write(rest.at(-1) === FAILED_START ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  private write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    // Nest passes `undefined` for the stack of an error without one.
    const details = rest.slice(0, -1).filter((detail) => detail !== undefined);
    if (message instanceof Error) {
      this.logger[level]({ context, stack: message.stack }, message.message);
      return;
    }
    const text = typeof message === 'string' ? message : textOf(details.shift());
    const fields = typeof message === 'object' && message !== null ? message : {};
    this.logger[level]({ context, ...fields, ...(details.length > 0 ? { details } : {}) }, text);
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
