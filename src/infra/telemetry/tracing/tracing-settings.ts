/** The destination of traces, and the service they belong to. */
export interface TracingSettings {
  /** For example `ies-api`; OTEL_SERVICE_NAME overrides it. */
  readonly serviceName: string;
  /** The collector's URL; undefined: no tracing. */
  readonly endpoint: string | undefined;
  /** Called when spans cannot be sent, at most once a minute. */
  readonly warn: (text: string) => void;
}
