import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from '../common/requests/request-context.js';
import { ObjectStore } from '../infra/storage/object-store.js';
import { answerFile } from '../uploads/files/file-answer.js';
import { FileQueryDto } from '../uploads/files/file-query.dto.js';
import { FileRoute } from '../uploads/files/file-route.decorator.js';
import { FileUrls, splitFileName } from '../uploads/files/file-urls.js';
import { JobsRepository } from './jobs.repository.js';
import { ResultDelivery } from './delivery/result-delivery.js';

@ApiTags('Files')
@Controller('files')
export class ResultFilesController {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly fileUrls: FileUrls,
    private readonly store: ObjectStore,
    private readonly delivery: ResultDelivery,
  ) {}

  @Get('job_:name')
  @FileRoute({ summary: 'Read the bytes of a result', operationId: 'readResultFile' })
  async read(
    @Param('name') name: string,
    @Query() query: FileQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const named = splitFileName(`job_${name}`, 'job');
    const job = named === undefined ? undefined : await this.jobs.findById(named.id);
    const isUnknown = job === undefined || job.resultFormat !== named?.format;
    const file = isUnknown ? null : await this.delivery.fileFor(request, job);
    await answerFile(request, reply, file, query, this.fileUrls, this.store);
  }
}
