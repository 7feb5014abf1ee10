import { errorText } from '../../kernel/errors/error-text.js';

/**
 * The connection broke between a COMMIT and its response, so the outcome is unknown. Callers must not undo
 * side effects outside of the database.
 */
export class UnconfirmedCommit extends Error {
  constructor(cause: unknown) {
    super('the outcome of a commit is unknown', { cause });
  }
}

/** SQLSTATE classes that mean "the database is unavailable", not "the statement is wrong". */
const AWAY_CLASSES = ['08', '57P', '53'];
const AWAY_CODES = new Set([
  // The transaction ran no statement for longer than `idleMs`. It is rolled back, and the connection is closed.
  '25P03',
  // A write on a read-only server: during a failover, the URL still leads to the standby.
  '25006',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** SQLSTATEs with which PostgreSQL refuses a connection: wrong user, wrong password, no such database. */
const REFUSALS = new Set(['28000', '28P01', '3D000']);

const AWAY_TEXTS = [
  'Connection terminated',
  // The next is from a pool, the one after it from a single connection.
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'not queryable',
  'Query read timeout',
];

/** The SQLSTATE of PostgreSQL or the error code of the system; empty for any other error. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Whether an error means that PostgreSQL is unreachable, restarting or refuses the connection, so that a retry may
 * succeed: a password changes on the server before it changes here.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof UnconfirmedCommit) return true;
  const code = codeOf(error);
  // A missing socket file; any other missing file does not concern the database.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect';
  if (AWAY_CODES.has(code) || REFUSALS.has(code)) return true;
  if (AWAY_CLASSES.some((prefix) => code.startsWith(prefix))) return true;
  if (AWAY_TEXTS.some((text) => error.message.includes(text))) return true;
  return error instanceof AggregateError && error.errors.some(isDatabaseUnavailable);
}

/** What other transactions cause: a serialization failure, a deadlock, a wait for a lock, and a statement timeout. */
const CONFLICT_CODES = new Set(['40001', '40P01', '55P03', '57014']);

/**
 * Whether the same statement or transaction may succeed later: the database is unavailable, or other transactions were
 * in the way. Says nothing about a transaction of which only a part is repeated.
 */
export function isRepeatable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || CONFLICT_CODES.has(codeOf(error));
}

const FOREIGN_KEY_VIOLATION = '23503';

/** Whether a row could not be written because its account was deleted in the meantime. */
export function isAccountGone(error: unknown): boolean {
  if (codeOf(error) !== FOREIGN_KEY_VIOLATION) return false;
  return String((error as { readonly constraint?: unknown }).constraint).endsWith('_account_id_fkey');
}

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because another row has the same value. Its transaction can then only be rolled back. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

/** What to tell an operator if PostgreSQL refused the connection; undefined for other errors. */
export function connectionRefusal(error: unknown): string | undefined {
  if (!REFUSALS.has(codeOf(error))) return undefined;
  return `The database refuses the connection (${errorText(error)}). Check user, password and name of the database in DATABASE_URL.`;
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** What to tell an operator if the database user lacks a right that a command needs; undefined for other errors. */
export function missingRights(error: unknown): string | undefined {
  if (codeOf(error) !== INSUFFICIENT_PRIVILEGE) return undefined;
  return `The database does not let its user do this (${errorText(error)}). Let its user own the database, or grant what docs/postgresql.md lists.`;
}
