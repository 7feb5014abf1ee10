/** The little that the embedded database needs of a logger; pino's loggers fit. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
  error(text: string): void;
}
