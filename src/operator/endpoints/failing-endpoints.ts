import { Injectable } from '@nestjs/common';
import type { Page } from '../../common/lists/pagination.js';
import { AppError } from '../../kernel/app-error.js';
import { EndpointControl } from '../../webhooks/endpoints/endpoint-control.js';
import type { FailingEndpointDto, FailingEndpointsQueryDto } from './failing-endpoint.dto.js';
import {
  type EndpointPosition,
  type FailingEndpoint,
  FailingEndpointsRepository,
} from './failing-endpoints.repository.js';

/** Endpoints of all accounts whose deliveries fail, and the switch for each. */
@Injectable()
export class FailingEndpoints {
  constructor(
    private readonly repository: FailingEndpointsRepository,
    private readonly control: EndpointControl,
  ) {}

  /** @throws AppError `invalid_cursor` */
  async list({ limit, cursor, state }: FailingEndpointsQueryDto): Promise<Page<FailingEndpointDto>> {
    const after = cursor === undefined ? undefined : readPosition(cursor);
    const isEnabled = state === undefined ? undefined : state === 'enabled';
    const rows = await this.repository.list(isEnabled, after, limit + 1);
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit;
    return { data: shown.map(present), hasMore, nextCursor: hasMore ? cursorOf(shown.at(-1)!) : null };
  }

  /**
   * Enables or disables an endpoint of any account, as its owner would.
   * @throws AppError `not_found`
   */
  async switch(id: string, enabled: boolean): Promise<void> {
    const accountId = await this.repository.accountOf(id);
    if (accountId === undefined)
      throw new AppError('not_found', { detail: `There is no webhook endpoint "${id}".` });
    await this.control.update(accountId, id, { enabled });
  }
}

const cursorOf = ({ position, id }: FailingEndpoint): string =>
  Buffer.from(`${position} ${id}`).toString('base64url');

/** @throws AppError `invalid_cursor` */
function readPosition(cursor: string): EndpointPosition {
  const found = /^(\d{1,16}) (we_\w{1,80})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (found === null) throw new AppError('invalid_cursor');
  return { microseconds: found[1]!, id: found[2]! };
}

function present(endpoint: FailingEndpoint): FailingEndpointDto {
  const { id, accountId, email, accountName, url, enabled, disabledReason, failingSince, pending } = endpoint;
  const { attemptAt, responseStatus, error, lastFailureAt } = endpoint;
  return {
    id,
    accountId: accountId.replace(/^test_/, 'acc_'),
    email,
    accountName,
    origin: new URL(url).origin,
    enabled,
    disabledReason,
    failingSince: failingSince.toISOString(),
    lastFailureAt: lastFailureAt?.toISOString() ?? null,
    pending,
    lastError: attemptAt === null ? null : { at: attemptAt.toISOString(), responseStatus, error },
  };
}
