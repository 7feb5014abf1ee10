import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { answerFile, type StoredFile } from './file-answer.js';
import { FileQueryDto } from './file-query.dto.js';
import { FileRoute } from './file-route.decorator.js';
import { FileUrls, splitFileName } from './file-urls.js';
import type { SourceEntity } from '../sources/source.entity.js';
import { SourcesRepository } from '../sources/sources.repository.js';

@ApiTags('Files')
@Controller('files')
export class SourceFilesController {
  constructor(
    private readonly sources: SourcesRepository,
    private readonly fileUrls: FileUrls,
    private readonly store: ObjectStore,
  ) {}

  @Get('src_:name')
  @FileRoute({ summary: 'Read the bytes of a source', operationId: 'readSourceFile' })
  async read(
    @Param('name') name: string,
    @Query() query: FileQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const named = splitFileName(`src_${name}`, 'source');
    const source = named === undefined ? null : await this.sources.findForSignedUrl(named.id);
    const file = source === null || source.format !== named?.format ? null : storedFile(source);
    await answerFile(request, reply, file, query, this.fileUrls, this.store);
  }
}

function storedFile({ id, accountId, objectKey, format, sha256, deletedAt }: SourceEntity): StoredFile {
  return {
    id,
    accountId,
    objectKey,
    format,
    sha256,
    goneBecause: deletedAt === null ? null : 'The source was deleted.',
  };
}
