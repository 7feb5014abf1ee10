import { Module } from '@nestjs/common';
import { UploadsModule } from '../../uploads/uploads.module.js';
import { JobsModule } from '../jobs.module.js';
import { JobSourceNamesRepository } from '../session/job-source-names.repository.js';
import { SessionShareLinksController } from './session-share-links.controller.js';
import { ShareLinksRepository } from './share-links.repository.js';
import { ShareLinksService } from './share-links.service.js';
import { SharePageFilter } from './share-page.filter.js';
import { SharePagesController } from './share-pages.controller.js';
import { SharedResults } from './shared-results.js';

/** Links to results for people without an account, in the api. */
@Module({
  imports: [JobsModule, UploadsModule],
  controllers: [SessionShareLinksController, SharePagesController],
  providers: [
    ShareLinksRepository,
    JobSourceNamesRepository,
    ShareLinksService,
    SharedResults,
    SharePageFilter,
  ],
})
export class ShareLinksModule {}
