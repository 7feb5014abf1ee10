import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { thumbnailKey, thumbnailName } from './thumbnail.js';
import { AppError } from '../../kernel/app-error.js';
import { isId } from '../../kernel/ids.js';
import { FileQueryDto } from '../files/file-query.dto.js';
import { FileUrls } from '../files/file-urls.js';

/** Thumbnails for holders of a signed URL; they are deleted with their results. */
@ApiExcludeController()
@Controller('files')
export class ThumbnailFilesController {
  constructor(
    private readonly fileUrls: FileUrls,
    private readonly store: ObjectStore,
  ) {}

  @Get('thumb_:name')
  @Public()
  async read(
    @Param('name') name: string,
    @Query() { exp, sig }: FileQueryDto,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const jobId = name.replace(/\.webp$/, '');
    const isSigned =
      isId('job', jobId) &&
      exp !== undefined &&
      sig !== undefined &&
      this.fileUrls.isSigned(thumbnailName(jobId), exp, sig);
    if (!isSigned || name === jobId) throw new AppError('not_found');
    if (Number(exp) * 1000 < Date.now()) throw new AppError('gone');
    const { stream, sizeBytes } = await this.store.open(thumbnailKey(jobId));
    reply.headers({
      'Cache-Control': 'private, max-age=86400, immutable',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Content-Length': sizeBytes,
    });
    void reply.type('image/webp').send(stream);
  }
}
