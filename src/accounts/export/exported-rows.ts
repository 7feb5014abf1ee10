import type { Prepared } from '../../infra/database/database.js';

/** Rows of one statement. No statement or transaction is open while a slow reader receives them. */
export const EXPORT_PAGE = 1_000;

/** A list of the export, in the order of a unique text. */
export interface ExportedRows {
  /** Its name in the file. */
  readonly name: string;
  /**
   * $1: an account; $2: the `cursor` of the row before. Selects column by column, so that nothing is exported only
   * because somebody added a column.
   */
  readonly page: Prepared;
}

/** @param order a unique text column, or an expression of several; the first value is greater than the empty text */
function rows(name: string, order: string, columns: string, from: string): ExportedRows {
  return {
    name,
    page: {
      name: `account_export_${name}`,
      text: `SELECT ${order} AS cursor, ${columns} FROM ${from} AND ${order} > $2 ORDER BY ${order} LIMIT ${EXPORT_PAGE}`,
    },
  };
}

/** Of the user whose account it is. An organization does not include these of its members. */
export const USER_ROWS: readonly ExportedRows[] = [
  rows(
    'organizations',
    'm.account_id',
    'm.account_id AS id, coalesce(a.name, a.email) AS name, m.role, m.created_at AS "joinedAt"',
    'memberships m JOIN accounts a ON a.id = m.account_id WHERE m.user_id = $1',
  ),
  rows(
    'sessions',
    `left(encode(token_hash, 'hex'), 32)`,
    'address, user_agent AS "userAgent", created_at AS "createdAt", last_seen_at AS "lastSeenAt", expires_at AS "expiresAt"',
    'sessions WHERE account_id = $1',
  ),
  rows(
    'passkeys',
    'credential_id',
    'name, created_at AS "createdAt", last_used_at AS "lastUsedAt"',
    'passkeys WHERE account_id = $1',
  ),
  rows(
    'identities',
    `issuer || ' ' || subject`,
    'issuer, subject, created_at AS "createdAt"',
    'oidc_identities WHERE account_id = $1',
  ),
  rows('notifications', 'user_id', 'language, quota, webhooks', 'notification_settings WHERE user_id = $1'),
];

export const ENDPOINT_ROWS = rows(
  'webhookEndpoints',
  'id',
  'id, url, events, description, metadata, enabled, created_at AS "createdAt", updated_at AS "updatedAt"',
  'webhook_endpoints WHERE account_id = $1 AND NOT callback',
);

/** Of the account, with its test mode. */
export const ACCOUNT_ROWS: readonly ExportedRows[] = [
  rows(
    'members',
    'm.user_id',
    'm.user_id AS "userId", a.email, m.role, m.created_at AS "joinedAt"',
    'memberships m JOIN accounts a ON a.id = m.user_id WHERE m.account_id = $1',
  ),
  rows(
    'invitations',
    'id',
    `id, email, role, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
     accepted_at AS "acceptedAt"`,
    'invitations WHERE account_id = $1',
  ),
  rows(
    'planRequests',
    'id',
    'id, plan, note, status, reason, created_at AS "createdAt", closed_at AS "closedAt"',
    'plan_requests WHERE account_id = $1',
  ),
  rows(
    'apiKeys',
    'id',
    `id, name, livemode, prefix, last4, scopes, allowed_ips AS "allowedIps", created_at AS "createdAt",
     last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"`,
    'api_keys WHERE account_id = $1',
  ),
  rows(
    'presets',
    'name',
    'name, operations, output, created_at AS "createdAt", updated_at AS "updatedAt"',
    'presets WHERE account_id = $1',
  ),
  rows(
    'shareLinks',
    'id',
    'id, job_id AS "jobId", shows_original AS "showsOriginal", created_at AS "createdAt", expires_at AS "expiresAt"',
    'share_links WHERE account_id = $1',
  ),
  rows(
    'photos',
    'id',
    'id, name, format, width, height, bytes::float8 AS bytes, sha256, created_at AS "createdAt"',
    'sources WHERE account_id = $1 AND deleted_at IS NULL',
  ),
  rows(
    'batches',
    'id COLLATE "C"',
    `id, total, completed, failed, canceled, created_at AS "createdAt", completed_at AS "completedAt",
     canceled_at AS "canceledAt"`,
    'batches WHERE account_id = $1',
  ),
  rows(
    'jobs',
    'id',
    `id, source_id AS "photoId", batch_id AS "batchId",
     coalesce(jsonb_path_query_array(steps, '$[*].operation'), jsonb_build_array(operation)) AS operations, level,
     preset, metadata, status, error_code AS "errorCode", enhancements, created_at AS "createdAt",
     started_at AS "startedAt", completed_at AS "completedAt", result_format AS "resultFormat",
     result_width AS "resultWidth", result_height AS "resultHeight", result_bytes::float8 AS "resultBytes",
     result_expires_at AS "resultExpiresAt"`,
    'jobs WHERE account_id = $1 AND deleted_at IS NULL',
  ),
];
