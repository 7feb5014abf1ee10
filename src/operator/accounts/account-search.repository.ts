import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { ID_PREFIXES } from '../../kernel/ids.js';
import type { Plan } from '../../kernel/plans.js';

export const ACCOUNT_STATUSES = ['active', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export interface AccountFilter {
  readonly plan?: Plan | undefined;
  readonly status?: AccountStatus | undefined;
}

/** The position where a page of a search begins: after this row of this kind of match. */
export interface SearchPosition {
  readonly kind: SearchKind;
  readonly key: string;
  readonly id: string;
}

/** The fields whose start a search compares with the text. `onlyDomain` also finds accounts that `email` does. */
export const SEARCH_KINDS = ['id', 'email', 'domain', 'onlyDomain'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** Kinds whose results are sorted by the field. */
export type TextKind = Exclude<SearchKind, 'id'>;

const DOMAIN = `split_part(lower(email), '@', 2) COLLATE "C"`;
const KEYS: Readonly<Record<TextKind, string>> = {
  email: `lower(email) COLLATE "C"`,
  domain: DOMAIN,
  onlyDomain: DOMAIN,
};

const IS_LIVE = `NOT ${isTestAccountSql('id')}`;
/** Above every text that starts with `$1`. */
const END = '$1::text || chr(1114111)';

/** `$1`: start of the text; `$2`, `$3`: position before the page; `$4`: page size. A search reads one index range. */
const search = (kind: TextKind, also: string): Prepared => ({
  name: `console_accounts_by_${kind}`,
  text: `SELECT id FROM accounts
          WHERE ${IS_LIVE} AND (${KEYS[kind]}, id COLLATE "C") > ($2, $3) AND ${KEYS[kind]} < ${END}
            AND ($5::text IS NULL OR plan = $5) AND ($6::boolean IS NULL OR (suspended_at IS NOT NULL) = $6) ${also}
          ORDER BY ${KEYS[kind]}, id COLLATE "C" LIMIT $4`,
});

/** Matches of the id come first and are not listed again. */
const NOT_BY_ID = `AND NOT (starts_with($1, '${ID_PREFIXES.account}_') AND starts_with(id, $1))`;

const SEARCHES: Readonly<Record<TextKind, Prepared>> = {
  email: search('email', NOT_BY_ID),
  // So do matches of the whole address.
  domain: search('domain', `${NOT_BY_ID} AND NOT (${KEYS.email} >= $1 AND ${KEYS.email} < ${END})`),
  onlyDomain: search('onlyDomain', ''),
};

/** The newest accounts. There is one statement for each combination of filters, so that each uses its own index. */
function newest(isOfPlan: boolean, status: AccountStatus | undefined): Prepared {
  const plan = isOfPlan ? 'AND plan = $3' : '';
  const suspended = { active: 'AND suspended_at IS NULL', suspended: 'AND suspended_at IS NOT NULL' };
  return {
    name: `console_accounts_newest_${isOfPlan ? 'plan' : ''}_${status ?? ''}`,
    text: `SELECT id FROM accounts
            WHERE ${IS_LIVE} AND id COLLATE "C" < $1 ${plan} ${status === undefined ? '' : suspended[status]}
            ORDER BY id COLLATE "C" DESC LIMIT $2`,
  };
}

/** Above every id of an account. */
const AFTER_ALL_IDS = 'acc~';

const BY_ID: Prepared = {
  name: 'console_accounts_by_id',
  text: `SELECT id FROM accounts WHERE ${IS_LIVE} AND id COLLATE "C" >= $1 AND id COLLATE "C" < ${END} AND id COLLATE "C" < $2
          ORDER BY id COLLATE "C" DESC LIMIT $3`,
};

/** The account that owns an object. Objects of test mode also belong to the account. */
const ownerIn = (table: string): Prepared => ({
  name: `console_account_of_${table}`,
  text: `SELECT a.id FROM ${table} t JOIN accounts a ON a.id = regexp_replace(t.account_id, '^test_', 'acc_') WHERE t.id = $1`,
});

const OWNERS: Readonly<Record<string, Prepared>> = {
  job: ownerIn('jobs'),
  src: ownerIn('sources'),
  key: ownerIn('api_keys'),
  bat: ownerIn('batches'),
  we: ownerIn('webhook_endpoints'),
};

interface Found {
  readonly id: string;
}

/** Finds accounts for the console, by text or newest first. Returns ids only. */
@Injectable()
export class AccountSearchRepository {
  constructor(private readonly database: Database) {}

  /** @param beforeId the last id of the previous page */
  async newest(
    { plan, status }: AccountFilter,
    beforeId: string | undefined,
    limit: number,
  ): Promise<string[]> {
    const values = [beforeId ?? AFTER_ALL_IDS, limit, ...(plan === undefined ? [] : [plan])];
    return this.ids(newest(plan !== undefined, status), values);
  }

  /** Accounts whose id starts with this, newest first. */
  byId(start: string, beforeId: string | undefined, limit: number): Promise<string[]> {
    return this.ids(BY_ID, [start, beforeId ?? AFTER_ALL_IDS, limit]);
  }

  /** The account of a job, photo, key, batch or endpoint with this id; none for any other text. */
  async ownerOf(id: string): Promise<string[]> {
    const owner = OWNERS[id.split('_', 1)[0]!];
    return owner === undefined ? [] : this.ids(owner, [id]);
  }

  /**
   * Accounts with a text of this kind that starts with `start`, sorted by it.
   * @param start in lowercase
   */
  startingWith(
    kind: TextKind,
    start: string,
    { plan, status }: AccountFilter,
    after: Pick<SearchPosition, 'key' | 'id'> | undefined,
    limit: number,
  ): Promise<string[]> {
    const isSuspended = status === undefined ? null : status === 'suspended';
    const { key, id } = after ?? { key: start, id: '' };
    return this.ids(SEARCHES[kind], [start, key, id, limit, plan ?? null, isSuspended]);
  }

  private async ids(statement: Prepared, values: readonly unknown[]): Promise<string[]> {
    return (await this.database.query<Found>(statement, values)).map(({ id }) => id);
  }
}
