import { Body, Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { SourceDto } from '../../common/resources/source.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateDirectUploadDto, DirectUploadDto } from './direct-upload.dto.js';
import { DirectUploads } from './direct-uploads.js';

@ApiTags('Uploads')
@Controller('api/ai/uploads')
@AnyScope('image:write', 'ai:enhance')
export class DirectUploadsController {
  constructor(private readonly uploads: DirectUploads) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Create a direct upload: get an object store URL to send the file to',
    operationId: 'createDirectUpload',
    description:
      'Send the file there with `PUT`, and then complete the upload. Only where clients can reach the object store (`OBJECT_URLS=direct`).',
  })
  @ApiCreatedResponse({ type: DirectUploadDto })
  @Problems(
    'malformed_json',
    'invalid_request',
    'feature_disabled',
    'quota_exceeded',
    'payload_too_large',
    'unsupported_media_type',
    'too_many_uploads',
    ...KEY_PROBLEMS,
  )
  create(
    @CurrentPrincipal() principal: Principal,
    @Body() dto: CreateDirectUploadDto,
  ): Promise<DirectUploadDto> {
    return this.uploads.create(principal, dto);
  }

  @Post(':id/complete')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Complete a direct upload: check the file and create a source',
    operationId: 'completeDirectUpload',
    description:
      'The same checks and the same response as an upload. A completed upload returns its source again, for as long as idempotency keys are kept.',
  })
  @ApiOkResponse({ type: SourceDto })
  @Problems(
    'quota_exceeded',
    'not_found',
    'upload_incomplete',
    'gone',
    'unsupported_media_type',
    'hdr_image',
    'undecodable_image',
    'animated_image',
    'too_many_pixels',
    'too_many_uploads',
    ...KEY_PROBLEMS,
  )
  complete(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceDto> {
    return this.uploads.complete(principal, id, reply.raw);
  }
}
