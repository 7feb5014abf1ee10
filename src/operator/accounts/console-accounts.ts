import { linkedIdentityDto } from '../../auth/oidc/identities/linked-identity.dto.js';
import { Injectable } from '@nestjs/common';
import type { Page } from '../../common/lists/pagination.js';
import { AppError } from '../../kernel/app-error.js';
import { quotaPeriod } from '../../kernel/time/clock.js';
import { ID_PREFIXES } from '../../kernel/ids.js';
import { effectiveLimits, PLAN_LIMITS } from '../../kernel/plans.js';
import {
  type AccountFilter,
  AccountSearchRepository,
  type AccountStatus,
  SEARCH_KINDS,
  type SearchKind,
} from './account-search.repository.js';
import type { ConsoleAccountsQueryDto } from './account-requests.dto.js';
import type { ConsoleAccountDetailDto, ConsoleAccountDto } from './console-account.dto.js';
import { type ConsoleAccount, ConsoleAccountsRepository } from './console-accounts.repository.js';

/** The position where a page begins: after this account, among the matches of this kind. */
interface Position {
  readonly kind: SearchKind;
  readonly id: string;
}

/** Ids of a page plus one more, each with its kind of match. */
type Matches = readonly Position[];

/** Lists, searches and shows accounts of all customers. Only for operators. */
@Injectable()
export class ConsoleAccounts {
  constructor(
    private readonly accounts: ConsoleAccountsRepository,
    private readonly searches: AccountSearchRepository,
  ) {}

  /** @throws AppError `invalid_cursor` */
  async list(query: ConsoleAccountsQueryDto): Promise<Page<ConsoleAccountDto>> {
    const { limit } = query;
    const after = query.cursor === undefined ? undefined : readPosition(query.cursor);
    const matches = await this.matches(query, after, limit + 1);
    const shown = matches.slice(0, limit);
    const rows = await this.accounts.read(
      shown.map(({ id }) => id),
      quotaPeriod(Date.now()),
    );
    const hasMore = matches.length > limit;
    return { data: rows.map(present), hasMore, nextCursor: hasMore ? cursorOf(shown.at(-1)!) : null };
  }

  /** @throws AppError `not_found` */
  async get(id: string): Promise<ConsoleAccountDetailDto> {
    const row = await this.read(id);
    const { owner, owned } = await this.accounts.ownership(id);
    const { suspendedAt, suspendedReason, limits, hasPassword, hasTwoFactor, resultCache } = row;
    return Object.assign(present(row), {
      ownLimits: limits,
      planLimits: PLAN_LIMITS[row.plan],
      suspension:
        suspendedAt === null ? null : { at: suspendedAt.toISOString(), reason: suspendedReason ?? '' },
      hasPassword,
      hasTwoFactor,
      resultCache,
      owner,
      organizations: owned.map((one) => ({ id: one.id, name: one.name, status: statusOf(one.isSuspended) })),
      identities: (await this.accounts.identities(id)).map(linkedIdentityDto),
      counts: await this.accounts.counts(id),
    });
  }

  /** The name of an organization, or the address of a user's account. @throws AppError `not_found` */
  async nameOf(id: string): Promise<string> {
    return (await this.read(id)).name;
  }

  private async read(id: string): Promise<ConsoleAccount> {
    const [row] = id.startsWith(`${ID_PREFIXES.account}_`)
      ? await this.accounts.read([id], quotaPeriod(Date.now()))
      : [];
    if (row === undefined) throw accountNotFound(id);
    return row;
  }

  private async matches(
    { search = '', plan, status }: ConsoleAccountsQueryDto,
    after: Position | undefined,
    limit: number,
  ): Promise<Matches> {
    const text = search.trim().toLowerCase();
    if (text === '') return asIds(await this.searches.newest({ plan, status }, after?.id, limit));
    if (after === undefined) {
      const owners = await this.searches.ownerOf(text);
      if (owners.length > 0) return asIds(owners);
    }
    return this.startingWith(text, { plan, status }, after, limit);
  }

  /** Reads the matches of one kind after those of the other. */
  private async startingWith(
    text: string,
    filter: AccountFilter,
    after: Position | undefined,
    limit: number,
  ): Promise<Matches> {
    const kinds = kindsOf(text);
    const found: Position[] = [];
    for (const kind of kinds.slice(Math.max(0, kinds.indexOf(after?.kind ?? kinds[0]!)))) {
      const position = after?.kind === kind ? after : undefined;
      const ids = await this.ofKind(kind, text, filter, position, limit - found.length);
      found.push(...ids.map((id) => ({ kind, id })));
      if (found.length === limit) break;
    }
    return found;
  }

  private async ofKind(
    kind: SearchKind,
    text: string,
    filter: AccountFilter,
    after: Position | undefined,
    limit: number,
  ): Promise<string[]> {
    if (kind === 'id') return this.searches.byId(text, after?.id, limit);
    const position = after === undefined ? undefined : await this.keyOf(after);
    return this.searches.startingWith(kind, text.replace(/^@/, ''), filter, position, limit);
  }

  /** @throws AppError `invalid_cursor` when the account was deleted in the meantime */
  private async keyOf({ kind, id }: Position): Promise<{ key: string; id: string }> {
    const email = await this.accounts.emailOf(id);
    if (email === undefined) throw new AppError('invalid_cursor');
    return { id, key: kind === 'email' ? email : (email.split('@', 2)[1] ?? '') };
  }
}

const asIds = (ids: readonly string[]): Matches => ids.map((id) => ({ kind: 'id', id }));

/** Addresses that start with the text, then addresses whose domain does. With a leading `@`, only domains. */
function kindsOf(text: string): readonly SearchKind[] {
  if (text.startsWith('@')) return ['onlyDomain'];
  // Ids come first. An address may start like one.
  return text.startsWith(`${ID_PREFIXES.account}_`) ? ['id', 'email', 'domain'] : ['email', 'domain'];
}

const cursorOf = ({ kind, id }: Position): string => Buffer.from(`${kind} ${id}`).toString('base64url');

/** @throws AppError `invalid_cursor` */
function readPosition(cursor: string): Position {
  const [word, id, ...rest] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  const kind = SEARCH_KINDS.find((known) => known === word);
  if (kind === undefined || id === undefined || !/^acc_\w+$/.test(id) || rest.length > 0)
    throw new AppError('invalid_cursor');
  return { kind, id };
}

/** The 404 of the console. Unlike the one for customers, it names what is missing. */
export function accountNotFound(id: string): AppError {
  return new AppError('not_found', { detail: `There is no account "${id}".` });
}

const statusOf = (isSuspended: boolean): AccountStatus => (isSuspended ? 'suspended' : 'active');

function present(account: ConsoleAccount): ConsoleAccountDto {
  const { id, email, name, plan, limits, createdAt, lastActiveAt, isEmailVerified } = account;
  return {
    id,
    email,
    name,
    isEmailVerified,
    plan,
    status: statusOf(account.suspendedAt !== null),
    operator: account.isOperator,
    limits: effectiveLimits(plan, limits),
    enhancementsUsed: account.enhancements,
    storageUsedBytes: account.storageBytes,
    createdAt: createdAt.toISOString(),
    lastActiveAt: lastActiveAt?.toISOString() ?? null,
  };
}
