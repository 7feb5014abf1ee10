/** Where traces go, and whose they are. */
export interface TracingSettings {
  /** `ies-api`, for example; OTEL_SERVICE_NAME replaces it. */
  readonly serviceName: string;
  /** The collector; undefined: no tracing. */
  readonly endpoint: string | undefined;
  /** Called when spans cannot be sent, at most once a minute. */
  readonly warn: (text: string) => void;
}
