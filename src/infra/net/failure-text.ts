import { errors } from 'undici';
import { AddressRefused } from './address-refused.js';

/** Sentences by `error.code` of Node.js and undici. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before a response arrived.',
  EPIPE: 'The connection was closed before a response arrived.',
  UND_ERR_SOCKET: 'The connection was closed before a response arrived.',
  UND_ERR_CONNECT_TIMEOUT: 'The connection timed out.',
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The host cannot be reached.',
  ENOTFOUND: 'The host name does not exist.',
  EAI_AGAIN: 'The host name could not be resolved.',
  UND_ERR_HEADERS_OVERFLOW: 'The response headers are too large.',
};

const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO$|HOSTNAME_MISMATCH)/;

/** Explains to the customer who chose an address why there was no response, without library texts. */
export function failureText(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const cause = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = codeOf(cause);
  if (TLS_CODE.test(code)) return `A TLS connection could not be established (${code}).`;
  // HTTP parser errors do not always have a code.
  if (cause instanceof errors.HTTPParserError) return 'The response is not valid HTTP.';
  return SENTENCES[code] ?? `The request failed${code === '' ? '' : ` (${code})`}.`;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}
