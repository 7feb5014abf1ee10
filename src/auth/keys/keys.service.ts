import { Inject, Injectable } from '@nestjs/common';
import { KeyLimitReached, KeyNotActive } from '../account-error.js';
import { ApiKeys } from './api-keys.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { pageOf, readCursor } from '../../common/lists/pagination.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { normalizedNetwork } from '../../infra/net/ip-allow-list.js';
import { AppError } from '../../kernel/app-error.js';
import { isId } from '../../kernel/ids.js';
import { type Plan, upgradeAdvice, type UpgradeHint, upgradeHint } from '../../kernel/plans.js';
import { TEST_LIMITS } from '../../kernel/accounts/livemode.js';
import type { Principal } from '../../kernel/principal.js';
import { DEFAULT_SCOPES } from '../../kernel/scopes.js';
import type {
  CreateKeyDto,
  IssuedKeyDto,
  KeyDto,
  KeyListDto,
  RotateKeyDto,
  UpdateKeyDto,
  RotatedKeyDto,
} from './key.dto.js';
import type { ListKeysQueryDto } from './list-keys-query.dto.js';
import type { Session } from '../sessions/session.js';
import { presentKey } from './present-key.js';

/** The keys of the signed-in account, over HTTP. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: ApiKeys,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `invalid_cursor` */
  async list({ accountId, plan, limits }: Principal, query: ListKeysQueryDto): Promise<KeyListDto> {
    const { limit = Number.MAX_SAFE_INTEGER, cursor, active: isActive } = query;
    const filter = {
      isActive: isActive === undefined ? undefined : isActive === 'true',
      beforeId: cursor === undefined ? undefined : readCursor('key', cursor),
      maxRows: query.limit === undefined ? undefined : query.limit + 1,
    };
    const [keys, active, testActive, inactive] = await Promise.all([
      this.keys.list(accountId, filter),
      this.keys.countActive(accountId, true),
      this.keys.countActive(accountId, false),
      this.keys.countInactive(accountId),
    ]);
    return {
      ...pageOf(keys, limit, presentKey),
      limit: limits.keys,
      active,
      testLimit: TEST_LIMITS.keys,
      testActive,
      inactive,
      upgrade: active < limits.keys ? null : this.upgrade(plan, active),
    };
  }

  /**
   * @throws AppError `invalid_request`, `not_signed_in`, `insufficient_role`, `key_limit_reached`, `too_many_attempts`
   */
  async create(session: Session, dto: CreateKeyDto): Promise<IssuedKeyDto> {
    const order = {
      name: dto.name,
      scopes: dto.scopes ?? DEFAULT_SCOPES,
      expiresAt: futureInstant(dto.expiresAt),
      allowedIps: networksOf(dto.allowedIps),
      livemode: dto.livemode ?? true,
    };
    const issued = await this.told('', () => this.keys.create(session.account.id, order, session));
    return Object.assign(presentKey(issued), { key: issued.key });
  }

  /**
   * Changes only the given fields.
   * @throws AppError `invalid_request`, `not_signed_in`, `insufficient_role`, `not_found`, `gone`
   */
  async update(session: Session, id: string, dto: UpdateKeyDto): Promise<KeyDto> {
    const changes = {
      ...(dto.name !== undefined && { name: dto.name }),
      ...(dto.scopes !== undefined && { scopes: dto.scopes }),
      ...(dto.expiresAt !== undefined && { expiresAt: futureInstant(dto.expiresAt) }),
      ...(dto.allowedIps !== undefined && { allowedIps: networksOf(dto.allowedIps) }),
    };
    const accountId = session.account.id;
    return presentKey(await this.told(id, () => this.keys.update(accountId, id, changes, session)));
  }

  /** @throws AppError `not_signed_in`, `insufficient_role`, `not_found`, `gone`, `too_many_attempts` */
  async rotate(session: Session, id: string, { overlapSeconds }: RotateKeyDto): Promise<RotatedKeyDto> {
    const { issued, replaced } = await this.told(id, () =>
      this.keys.rotate(session.account.id, id, overlapSeconds, session),
    );
    return Object.assign(presentKey(issued), { key: issued.key, replaces: presentKey(replaced) });
  }

  /** @throws AppError `not_found` */
  async revoke({ accountId }: Principal, id: string): Promise<void> {
    await this.told(id, () => this.keys.revoke(accountId, id));
  }

  /** Translates errors about keys into those of the HTTP API. */
  private async told<T>(id: string, work: () => Promise<T>): Promise<T> {
    // Text that is not an id is not queried: PostgreSQL would reject some of it.
    if (id !== '' && !isId('key', id)) throw unknownKey(id);
    try {
      return await work();
    } catch (error) {
      if (error instanceof KeyLimitReached) throw this.limitReached(error);
      if (error instanceof KeyNotActive) throw error.isKnown ? goneKey(id) : unknownKey(id);
      throw error;
    }
  }

  private limitReached({ used, limit, plan, livemode }: KeyLimitReached): AppError {
    if (!livemode) {
      return new AppError('key_limit_reached', {
        detail: `The account has ${used} active test keys, which is the limit. Revoke one and try again.`,
        extensions: { limit, used },
      });
    }
    const upgrade = this.upgrade(plan, used);
    const keys = used === 1 ? 'key' : 'keys';
    return new AppError('key_limit_reached', {
      detail: `The account has ${used} active API ${keys}. Its plan (${plan}) allows ${limit}. Revoke one, or ${upgradeAdvice(upgrade)}.`,
      extensions: { limit, used, upgrade },
    });
  }

  private upgrade(plan: Plan, used: number): UpgradeHint {
    return upgradeHint(plan, 'keys', used, this.config.publicUrl);
  }
}

/** @throws AppError `invalid_request` for a time in the past */
function futureInstant(given: string | null | undefined): Date | null {
  if (given === undefined || given === null) return null;
  const instant = new Date(given);
  if (instant.getTime() <= Date.now()) {
    throw invalidRequest([{ field: 'expiresAt', code: 'past', message: 'expiresAt must be in the future.' }]);
  }
  return instant;
}

/** Networks in canonical form, without duplicates; null for a key that works from any address. */
function networksOf(given: readonly string[] | null | undefined): readonly string[] | null {
  if (given === undefined || given === null || given.length === 0) return null;
  return [...new Set(given.map((network) => normalizedNetwork(network)!))];
}

function unknownKey(id: string): AppError {
  return new AppError('not_found', { detail: `There is no key "${id}" in your account.` });
}

function goneKey(id: string): AppError {
  return new AppError('gone', {
    detail: `The key "${id}" was replaced or revoked, or has expired. Only an active key can be changed or rotated.`,
  });
}
