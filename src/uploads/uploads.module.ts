import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { FileUrlsModule } from './file-urls.module.js';
import { ImageProbe } from './image-probe.js';
import { SourceFilesController } from './source-files.controller.js';
import { SourcePresenter } from './source-presenter.js';
import { SourceEntity } from './source.entity.js';
import { SourcesController } from './sources.controller.js';
import { SourcesRepository } from './sources.repository.js';
import { SourcesService } from './sources.service.js';
import { UploadQuota } from './upload-quota.js';
import { UploadSlots } from './upload-slots.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SourceEntity]), FileUrlsModule, QuotasModule, IdempotencyModule],
  controllers: [UploadsController, SourcesController, SourceFilesController],
  providers: [
    SourcesRepository,
    SourcePresenter,
    SourcesService,
    UploadQuota,
    UploadSlots,
    ImageProbe,
    UploadsService,
  ],
  exports: [FileUrlsModule, ImageProbe, SourcesRepository, SourcesService, UploadsService],
})
export class UploadsModule {}
