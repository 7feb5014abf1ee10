import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { SecretBox } from '../../infra/sealing/secret-box.js';
import type { PreviousSecret } from '../../webhooks/endpoints/endpoint.entity.js';
import { twoFactorContext } from '../../auth/two-factor/two-factor-context.js';
import { unexpired } from '../../webhooks/endpoints/endpoint-secrets.js';

/** Rows with sealed secrets, read in batches by key. */
export interface SealedRow {
  /** Every sealed value of the row. */
  readonly sealed: readonly Uint8Array[];
  /** What the values are bound to, such as the id of the webhook endpoint, or of the mail. */
  readonly context: string;
  /**
   * Writes the row with resealed secrets, unless it has changed since it was read.
   * @returns whether it was written
   */
  readonly reseal: (on: Queryable, box: SecretBox) => Promise<boolean>;
}

export interface SealedBatch {
  readonly rows: readonly SealedRow[];
  /** Start of the next batch; undefined after the last one. */
  readonly next: readonly string[] | undefined;
}

/** One location of sealed secrets. */
export interface SealedColumn {
  readonly name: string;
  readonly start: readonly string[];
  readonly read: (on: Queryable, after: readonly string[]) => Promise<SealedBatch>;
}

const BATCH = 500;

const ENDPOINTS: Prepared = {
  name: 'sealed_endpoints',
  text: `SELECT id, sealed_secret AS "sealedSecret", previous_secrets AS "previousSecrets" FROM webhook_endpoints
          WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
};

/** Skips a row whose secret was replaced since it was read. */
const RESEAL_ENDPOINT: Prepared = {
  name: 'sealed_endpoint_replace',
  text: `UPDATE webhook_endpoints SET sealed_secret = $3, previous_secrets = $5::jsonb
          WHERE id = $1 AND sealed_secret = $2 AND previous_secrets = $4::jsonb RETURNING id`,
};

interface EndpointRow {
  id: string;
  sealedSecret: Buffer;
  previousSecrets: readonly PreviousSecret[];
}

const endpoints: SealedColumn = {
  name: 'webhook endpoints',
  start: [''],
  read: async (on, [after]) => {
    const rows = await on.query<EndpointRow>(ENDPOINTS, [after]);
    return { rows: rows.map(endpointRow), next: rows.length < BATCH ? undefined : [rows.at(-1)!.id] };
  },
};

function endpointRow({ id, sealedSecret, previousSecrets }: EndpointRow): SealedRow {
  const living = unexpired(previousSecrets, Date.now());
  return {
    context: id,
    sealed: [sealedSecret, ...living.map(({ sealed }) => Buffer.from(sealed, 'base64'))],
    reseal: async (on, box) => {
      const again = (sealed: Uint8Array) => box.seal(box.open(sealed, id), id);
      const previous = living.map(({ sealed, expiresAt }) => ({
        sealed: again(Buffer.from(sealed, 'base64')).toString('base64'),
        expiresAt,
      }));
      const values = [id, sealedSecret, again(sealedSecret)];
      const lists = [JSON.stringify(previousSecrets), JSON.stringify(previous)];
      return (await on.query(RESEAL_ENDPOINT, [...values, ...lists])).length === 1;
    },
  };
}

const MAILS: Prepared = {
  name: 'sealed_mails',
  text: `SELECT id, sealed_content AS "sealedContent" FROM mails
          WHERE id > $1 AND status = 'pending' ORDER BY id LIMIT ${BATCH}`,
};

const RESEAL_MAIL: Prepared = {
  name: 'sealed_mail_replace',
  text: 'UPDATE mails SET sealed_content = $3 WHERE id = $1 AND sealed_content = $2 RETURNING id',
};

/** Unsent mails. Mails that were sent or have failed have no content. */
const mails: SealedColumn = {
  name: 'mails to send',
  start: [''],
  read: async (on, [after]) => {
    const rows = await on.query<{ id: string; sealedContent: Buffer }>(MAILS, [after]);
    const sealedRows = rows.map(({ id, sealedContent }) => ({
      context: id,
      sealed: [sealedContent],
      reseal: async (to: Queryable, box: SecretBox): Promise<boolean> => {
        const again = box.seal(box.open(sealedContent, id), id);
        return (await to.query(RESEAL_MAIL, [id, sealedContent, again])).length === 1;
      },
    }));
    return { rows: sealedRows, next: rows.length < BATCH ? undefined : [rows.at(-1)!.id] };
  },
};

const ANSWER_BATCH = 5_000;

/** Stored idempotent responses that contain the secret of a webhook endpoint, or that of the callbacks. */
const ANSWERS: Prepared = {
  name: 'sealed_answers',
  text: `SELECT k.account_id AS "accountId", k.key, CASE WHEN k.body ->> 'id' LIKE 'we\\_%'
                AND coalesce(k.body ->> 'secret', k.body ->> 'sealed') IS NOT NULL
                THEN k.body::text END AS body
           FROM idempotency_keys k WHERE (k.account_id, k.key) > ($1, $2)
          ORDER BY k.account_id, k.key LIMIT ${ANSWER_BATCH}`,
};

const RESEAL_ANSWER: Prepared = {
  name: 'sealed_answer_replace',
  text: `UPDATE idempotency_keys SET body = $4::json
          WHERE account_id = $1 AND key = $2 AND body::text = $3 RETURNING key`,
};

interface AnswerRow {
  accountId: string;
  key: string;
  /** Null if it contains no secret. */
  body: string | null;
}

const answers: SealedColumn = {
  name: 'remembered answers',
  start: ['', ''],
  read: async (on, after) => {
    const rows = await on.query<AnswerRow>(ANSWERS, after);
    const last = rows.at(-1);
    return {
      rows: rows.flatMap((row) => (row.body === null ? [] : [answerRow(row, row.body)])),
      next: last === undefined || rows.length < ANSWER_BATCH ? undefined : [last.accountId, last.key],
    };
  },
};

function answerRow({ accountId, key }: AnswerRow, text: string): SealedRow {
  const body = JSON.parse(text) as { id: string; secret: string } | { id: string; sealed: string };
  const field = 'secret' in body ? 'secret' : 'sealed';
  const sealed = Buffer.from('secret' in body ? body.secret : body.sealed, 'base64');
  return {
    context: body.id,
    sealed: [sealed],
    reseal: async (on, box) => {
      const again = box.seal(box.open(sealed, body.id), body.id).toString('base64');
      const values = [accountId, key, text, JSON.stringify({ ...body, [field]: again })];
      return (await on.query(RESEAL_ANSWER, values)).length === 1;
    },
  };
}

const TWO_FACTOR: Prepared = {
  name: 'sealed_two_factor',
  text: `SELECT account_id AS "accountId", sealed_secret AS "sealedSecret" FROM two_factor_secrets
          WHERE account_id > $1 ORDER BY account_id LIMIT ${BATCH}`,
};

const RESEAL_TWO_FACTOR: Prepared = {
  name: 'sealed_two_factor_replace',
  text: `UPDATE two_factor_secrets SET sealed_secret = $3 WHERE account_id = $1 AND sealed_secret = $2
         RETURNING account_id`,
};

interface TwoFactorRow {
  accountId: string;
  sealedSecret: Buffer;
}

/** Secrets of authenticator apps. */
const twoFactor: SealedColumn = {
  name: 'two-factor secrets',
  start: [''],
  read: async (on, [after]) => {
    const rows = await on.query<TwoFactorRow>(TWO_FACTOR, [after]);
    return { rows: rows.map(twoFactorRow), next: rows.length < BATCH ? undefined : [rows.at(-1)!.accountId] };
  },
};

function twoFactorRow({ accountId, sealedSecret }: TwoFactorRow): SealedRow {
  const context = twoFactorContext(accountId);
  return {
    context,
    sealed: [sealedSecret],
    reseal: async (on, box) => {
      const again = box.seal(box.open(sealedSecret, context), context);
      return (await on.query(RESEAL_TWO_FACTOR, [accountId, sealedSecret, again])).length === 1;
    },
  };
}

/** Every location of sealed secrets. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [endpoints, answers, mails, twoFactor];
