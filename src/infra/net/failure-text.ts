import { errors } from 'undici';
import { AddressRefused } from './address-refused.js';

/** Sentences by `error.code` of Node.js and undici. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before the answer came.',
  EPIPE: 'The connection was closed before the answer came.',
  UND_ERR_SOCKET: 'The connection was closed before the answer came.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection could not be made in time.',
  ETIMEDOUT: 'The connection could not be made in time.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be looked up.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
};

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO$|HOSTNAME_MISMATCH)/;

/** Explains to the customer who chose an address why there was no response, without library texts. */
export function failureText(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = codeOf(cause);
  if (TLS_CODE.test(code)) return `No secure connection could be made (${code}).`;
  // HTTP parser errors do not always have a code.
  if (cause instanceof errors.HTTPParserError) return 'The answer is not HTTP.';
  return SENTENCES[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
