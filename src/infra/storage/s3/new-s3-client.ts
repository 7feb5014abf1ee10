import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings.js';

/** Maximum attempts of one request. The SDK uses exponential backoff with jitter. */
const MAX_ATTEMPTS = 4;
const CONNECT_TIMEOUT_MS = 3_000;
/** Time from the start of a request to the first byte of its response. It includes the time to send a body. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Time without a byte in either direction. */
const IDLE_TIMEOUT_MS = 20_000;
/**
 * Without a limit: a slow reader holds a socket until it has received the object, and a request that waits for a socket
 * fails after the connect timeout. The number of readers is limited by the connections that clients open.
 */
const AGENT = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };
/** The region without a setting. Stores other than Amazon's ignore it. */
const DEFAULT_REGION = 'us-east-1';

/** Options besides the settings. */
export interface S3ClientOptions {
  /** Overrides the endpoint of the settings. */
  readonly endpoint?: string | undefined;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
  /** When checksums of bodies are added. Default: always. */
  readonly requestChecksumCalculation?: 'WHEN_REQUIRED';
}

/**
 * Creates a client of the store. The AWS SDK finds credentials and region in `AWS_*` variables, profiles, or the role
 * of the container or machine.
 */
export function newS3Client(settings: S3Settings, options: S3ClientOptions = {}): S3Client {
  disableVersionWarning();
  const endpoint = options.endpoint ?? settings.endpoint;
  const config: S3ClientConfig = {
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: options.maxAttempts ?? MAX_ATTEMPTS,
    retryMode: 'standard',
    // With validation, the stream of a response would not report a broken connection.
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(options.requestChecksumCalculation !== undefined && {
      requestChecksumCalculation: options.requestChecksumCalculation,
    }),
    requestHandler: {
      connectionTimeout: options.timeoutMs ?? CONNECT_TIMEOUT_MS,
      requestTimeout: options.timeoutMs ?? ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: options.timeoutMs ?? IDLE_TIMEOUT_MS,
      httpAgent: AGENT,
      httpsAgent: AGENT,
    },
  };
  if (endpoint !== undefined) {
    config.endpoint = endpoint;
    config.region = settings.region ?? DEFAULT_REGION;
  } else if (settings.region !== undefined) config.region = settings.region;
  return new S3Client(config);
}

/**
 * On Node.js 20, the SDK prints a warning about its own later versions on standard error, where every line is a JSON
 * object of the log. It warns while its first client is created. Does nothing if the variable is already set.
 */
function disableVersionWarning(): void {
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ||= 'true';
}
