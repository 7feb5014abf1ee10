import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiProduces } from '@nestjs/swagger';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import type { Session } from '../../auth/sessions/session.js';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import {
  COMPARISON_IMAGES,
  type ComparisonImage,
} from '../../models/serving/comparisons/version-comparison.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { SourcesService } from '../../uploads/sources/sources.service.js';
import { CompareVersionsDto, VersionComparisonDto, VersionComparisonsDto } from './version-comparison.dto.js';
import { VersionComparisonControl } from './version-comparison-control.js';

/** Two versions of a model on a photo of the operator. */
@Controller('operator/api/models/:operation/comparisons')
@OperatorOnly()
export class VersionComparisonsController {
  constructor(
    private readonly control: VersionComparisonControl,
    private readonly sources: SourcesService,
    private readonly fileUrls: FileUrls,
    private readonly store: ObjectStore,
  ) {}

  /** Your comparisons of the last 24 hours, the newest first, at most 20. */
  @Get()
  @ApiOkResponse({ type: VersionComparisonsDto })
  async list(
    @Param('operation') operation: string,
    @CurrentSession() { user }: Session,
  ): Promise<VersionComparisonsDto> {
    return { data: await this.control.list(user.id, operation) };
  }

  /** Runs two versions on a photo. Neither needs to be loaded. A worker begins at once, and runs them beside jobs. */
  @Post()
  @ApiCreatedResponse({ type: VersionComparisonDto })
  start(
    @Param('operation') operation: string,
    @Body() { sourceUrl, ...versions }: CompareVersionsDto,
    @CurrentSession() { user, account, permissions }: Session,
  ): Promise<VersionComparisonDto> {
    // Permission to enhance photos of the current organization; an operator signed in as a customer has none.
    const owner = permissions.includes('images:write') ? account : user;
    return this.control.start(user.id, { operation, ...versions }, () => this.photo(owner.id, sourceUrl));
  }

  @Get(':id')
  @ApiOkResponse({ type: VersionComparisonDto })
  @ApiParam({ name: 'operation', type: 'string' })
  read(@Param('id') id: string, @CurrentSession() { user }: Session): Promise<VersionComparisonDto> {
    return this.control.read(id, user.id);
  }

  /** The photo as both versions got it, or the result of one. */
  @Get(':id/images/:image')
  @ApiProduces('image/webp')
  @ApiOkResponse({ description: 'WebP.', schema: { type: 'string', format: 'binary' } })
  @ApiParam({ name: 'operation', type: 'string' })
  @ApiParam({ name: 'image', enum: COMPARISON_IMAGES })
  async image(
    @Param('id') id: string,
    @Param('image') image: string,
    @CurrentSession() { user }: Session,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (!isImage(image)) throw new AppError('not_found');
    const picture = await this.control.image(id, user.id, image);
    void reply
      .headers({
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'private, no-store',
      })
      .type('image/webp')
      .send(picture);
  }

  private async photo(accountId: string, sourceUrl: string): Promise<Buffer> {
    const id = this.fileUrls.sourceIdIn(sourceUrl);
    if (id === undefined) throw foreignUrl();
    return this.store.read((await this.sources.find(accountId, id)).objectKey);
  }
}

const isImage = (text: string): text is ComparisonImage =>
  (COMPARISON_IMAGES as readonly string[]).includes(text);

function foreignUrl(): AppError {
  const { detail } = new AppError('invalid_source_url');
  return new AppError('invalid_source_url', {
    detail,
    errors: [{ field: 'sourceUrl', code: 'foreign', message: detail }],
  });
}
