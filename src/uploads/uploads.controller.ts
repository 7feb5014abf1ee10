import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../common/access/access.decorator.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems/problems.decorator.js';
import type { FastifyReply, FastifyRequest } from '../common/requests/request-context.js';
import { bodyOf } from '../idempotency/body-of.js';
import { IDEMPOTENCY_HEADER, IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { SourceDto } from '../common/resources/source.dto.js';
import { UploadsService } from './uploads.service.js';

@ApiTags('Uploads')
@Controller('api/ai/upload')
export class UploadsController {
  constructor(private readonly uploads: UploadsService) {}

  @Post()
  @HttpCode(201)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Upload a source image',
    operationId: 'uploadImage',
    description: 'One JPEG, PNG, WebP or AVIF of at most 20 MB. The bytes decide what it is, not its name.',
  })
  @ApiConsumes('multipart/form-data')
  @ApiBody({
    schema: {
      type: 'object',
      required: ['file'],
      additionalProperties: false,
      properties: { file: { type: 'string', format: 'binary' } },
    },
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiCreatedResponse({ type: SourceDto })
  @Problems(
    'invalid_multipart',
    'invalid_request',
    'quota_exceeded',
    'upload_timeout',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'undecodable_image',
    'animated_image',
    'too_many_pixels',
    'idempotency_mismatch',
    'too_many_uploads',
    ...KEY_PROBLEMS,
  )
  async create(
    @CurrentPrincipal() principal: Principal,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceDto> {
    return bodyOf(await this.uploads.upload(principal, request.raw, idempotencyKey), reply);
  }
}
