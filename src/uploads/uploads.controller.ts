import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../common/access/access.decorator.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems/problems.decorator.js';
import { CONTENT_DIGEST_HEADER } from '../common/requests/content-digest.js';
import { ApiJsonOrForm, FILE_PART } from '../common/requests/form-body.decorator.js';
import type { FastifyReply, FastifyRequest } from '../common/requests/request-context.js';
import { isJson, validBody } from '../common/validation/valid-body.js';
import { bodyOf } from '../idempotency/body-of.js';
import { IDEMPOTENCY_HEADER, IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { SourceDto } from '../common/resources/source.dto.js';
import { UploadFromUrlDto } from './upload-from-url.dto.js';
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
    description:
      'One JPEG, PNG, WebP or AVIF of at most 20 MB. The bytes decide what it is, not its name. With JSON, the service fetches the file from a URL.',
  })
  @ApiJsonOrForm(UploadFromUrlDto, { required: ['file'], properties: { file: FILE_PART } })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiHeader(CONTENT_DIGEST_HEADER)
  @ApiCreatedResponse({ type: SourceDto })
  @Problems(
    'invalid_multipart',
    'invalid_request',
    'malformed_json',
    'feature_disabled',
    'quota_exceeded',
    'upload_timeout',
    'idempotency_in_progress',
    'payload_too_large',
    'unsupported_media_type',
    'hdr_image',
    'undecodable_image',
    'animated_image',
    'too_many_pixels',
    'url_fetch_failed',
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
    if (!isJson(request))
      return bodyOf(await this.uploads.upload(principal, request.raw, idempotencyKey), reply);
    const { url } = await validBody(request, UploadFromUrlDto);
    return bodyOf(await this.uploads.uploadFromUrl(principal, url, reply.raw, idempotencyKey), reply);
  }
}
