import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { isId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { answerFile } from '../../uploads/files/file-answer.js';
import { IMAGE_CONTENT } from '../../uploads/files/file-route.decorator.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { operationsOf } from '../job-step.js';
import { JobsRepository } from '../jobs.repository.js';
import { ResultDelivery } from '../delivery/result-delivery.js';
import { JobSourceNamesRepository } from './job-source-names.repository.js';
import { resultName } from './result-name.js';

@Controller('dashboard/api/ai/enhance')
export class SessionResultsController {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly fileUrls: FileUrls,
    private readonly store: ObjectStore,
    private readonly delivery: ResultDelivery,
  ) {}

  /** A download under the name of the photo. The public address of a result contains no file name. */
  @RequiresPermission('images:read')
  @Get(':id/result')
  @ApiOkResponse({ content: IMAGE_CONTENT })
  async download(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const job = isId('job', id) ? await this.jobs.read(accountId, id) : undefined;
    const file = job === undefined ? null : await this.delivery.fileFor(request, job);
    const name = file === null ? undefined : (await this.names.namesOf(accountId, [id])).get(id);
    const saved =
      job === undefined || file === null
        ? null
        : { ...file, saveAs: resultName(name ?? null, operationsOf(job), file.format) };
    await answerFile(request, reply, saved, {}, this.fileUrls, this.store);
  }
}
