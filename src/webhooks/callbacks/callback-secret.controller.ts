import { Body, Controller, Get, HttpCode, Post, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { bodyOf } from '../../idempotency/body-of.js';
import { IDEMPOTENCY_HEADER, IdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { RotateSecretDto } from '../endpoints/rotate-secret.dto.js';
import { CallbackSecret } from './callback-secret.js';
import { CallbackSecretDto, NewCallbackSecretDto } from './callback-secret.dto.js';

@ApiTags('Webhooks')
@Controller('api/webhooks/callback-secret')
@AnyScope('webhook:manage')
export class CallbackSecretController {
  constructor(private readonly secret: CallbackSecret) {}

  @Get()
  @ApiOperation({
    summary: 'Whether the account has a callback secret',
    operationId: 'getCallbackSecret',
    description: 'The secret itself is shown only when it is made.',
  })
  @ApiOkResponse({ type: CallbackSecretDto })
  @Problems(...KEY_PROBLEMS)
  get(@CurrentPrincipal() { accountId }: Principal): Promise<CallbackSecretDto> {
    return this.secret.read(accountId);
  }

  @Post()
  @HttpCode(200)
  @ApiOperation({
    summary: 'Create or rotate the callback secret; only this response contains it',
    operationId: 'rotateCallbackSecret',
    description:
      'It signs the calls to the `callbackUrl` of jobs. A replaced secret still signs for `overlapSeconds`, beside the new one.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiBody({ type: RotateSecretDto, required: false })
  @ApiOkResponse({ type: NewCallbackSecretDto })
  @Problems(
    'malformed_json',
    'invalid_request',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_in_progress',
    'idempotency_mismatch',
    ...KEY_PROBLEMS,
  )
  async rotate(
    @CurrentPrincipal() { accountId }: Principal,
    @Body() dto: RotateSecretDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<NewCallbackSecretDto> {
    return bodyOf(await this.secret.rotate(accountId, dto, idempotencyKey), reply);
  }
}
