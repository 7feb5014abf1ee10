/** The provider does not respond, or its response is not that of a provider. The message is for the log. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The provider refused, or its response is not valid. The message is for the log. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused';

  constructor(
    message: string,
    /** Whether the user declined, or the provider declined on the user's behalf. */
    readonly isDeclined: boolean,
    options: ErrorOptions,
  ) {
    super(message, options);
  }
}

const MAX_TEXT = 300;

/** Properties that errors of the library and of `fetch` may have. */
interface Fault {
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly status?: unknown;
  /** Error codes of OAuth 2.0 and OpenID Connect. */
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/** The error, and the errors that caused it. */
function* chainOf(error: unknown): Generator<Fault> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) yield cause;
}

/** HTTP status of a response that the library did not accept. */
function statusOf(error: unknown): number | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.cause instanceof Response) return cause.cause.status;
  return undefined;
}

/** Whether the cause is a failed connection, a timeout, or a 5xx response. */
export function isOutage(error: unknown): boolean {
  if ((statusOf(error) ?? 0) >= 500) return true;
  for (const { name, message, status, error: code } of chainOf(error)) {
    if (name === 'TimeoutError' || (typeof status === 'number' && status >= 500)) return true;
    if (name === 'TypeError' && (message === 'fetch failed' || message === 'terminated')) return true;
    if (code === 'temporarily_unavailable' || code === 'server_error') return true;
  }
  return false;
}

/** Whether the user canceled at the provider, or the provider does not let the user access this service. */
export function wasDeclined(error: unknown): boolean {
  return [...chainOf(error)].some((fault) => fault.error === 'access_denied');
}

/** The messages and codes of an error and its causes, without tokens. */
export function describeFault(error: unknown): string {
  const texts: string[] = [];
  for (const { message, code, error: refusal, error_description: detail } of chainOf(error)) {
    const extra = [code, refusal, detail].filter((text) => typeof text === 'string');
    texts.push(extra.length === 0 ? message : `${message} (${extra.join(', ')})`);
  }
  const status = statusOf(error);
  if (status !== undefined) texts.push(`HTTP status ${status}`);
  const issuers = issuersOf(error);
  if (issuers !== undefined) texts.push(issuers);
  return texts.join(': ').slice(0, MAX_TEXT);
}

/** Describes an issuer mismatch, the most common configuration mistake, such as a missing trailing slash. */
function issuersOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || typeof error.cause !== 'object' || error.cause === null) return undefined;
  const { attribute, expected, body } = error.cause as Record<string, unknown>;
  if (attribute !== 'issuer' || typeof body !== 'object' || body === null) return undefined;
  return `OIDC_ISSUER is ${String(expected)}, the provider says ${String((body as { issuer?: unknown }).issuer)}`;
}
