/** The logger interface of the embedded database; pino satisfies it. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}
