import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import type { S3Settings } from './s3-settings.js';

/** Tries of one request; the SDK waits between them, with jitter and twice as long each time. */
const MAX_ATTEMPTS = 4;
const CONNECT_TIMEOUT_MS = 3_000;
/** Until the first byte of an answer. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Without a byte in either direction. */
const IDLE_TIMEOUT_MS = 20_000;
const MAX_SOCKETS = 256;
/** Other stores ignore the region, and nobody sets one for them. */
const DEFAULT_REGION = 'us-east-1';

/** What a client is told beside the settings. */
export interface S3ClientOptions {
  /** In place of the settings' endpoint. */
  readonly endpoint?: string | undefined;
  readonly maxAttempts?: number;
  readonly timeoutMs?: number;
}

/**
 * A client of the store. Credentials and region come from where the AWS SDK looks for them: `AWS_*` variables,
 * profiles, the role of a container or machine.
 */
export function newS3Client(settings: S3Settings, options: S3ClientOptions = {}): S3Client {
  const endpoint = options.endpoint ?? settings.endpoint;
  const config: S3ClientConfig = {
    forcePathStyle: settings.forcePathStyle,
    maxAttempts: options.maxAttempts ?? MAX_ATTEMPTS,
    retryMode: 'standard',
    // The stream of a verified answer does not report a connection that breaks.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: options.timeoutMs ?? CONNECT_TIMEOUT_MS,
      requestTimeout: options.timeoutMs ?? ANSWER_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      socketTimeout: options.timeoutMs ?? IDLE_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  };
  if (endpoint !== undefined) {
    config.endpoint = endpoint;
    config.region = settings.region ?? DEFAULT_REGION;
  } else if (settings.region !== undefined) config.region = settings.region;
  return new S3Client(config);
}
