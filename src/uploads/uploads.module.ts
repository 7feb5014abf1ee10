import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { DirectUploads } from './direct/direct-uploads.js';
import { DirectUploadsController } from './direct/direct-uploads.controller.js';
import { DirectUploadsRepository } from './direct/direct-uploads.repository.js';
import { FileUrlsModule } from './files/file-urls.module.js';
import { ImageProbe } from './receiving/image-probe.js';
import { KnownSources } from './sources/known-sources.js';
import { SessionSourcesController } from './sources/session-sources.controller.js';
import { SourceFilesController } from './files/source-files.controller.js';
import { SourcePresenter } from './sources/source-presenter.js';
import { SourceEntity } from './sources/source.entity.js';
import { SourcesController } from './sources/sources.controller.js';
import { SourcesRepository } from './sources/sources.repository.js';
import { SourcesService } from './sources/sources.service.js';
import { SourceThumbnails } from './thumbnails/source-thumbnails.js';
import { ThumbnailFilesController } from './thumbnails/thumbnail-files.controller.js';
import { SourceIntake } from './receiving/source-intake.js';
import { SourceRecords } from './receiving/source-records.js';
import { UploadQuota } from './receiving/upload-quota.js';
import { UploadSlots } from './receiving/upload-slots.js';
import { UrlFetch } from './receiving/url-fetch.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsService } from './uploads.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([SourceEntity]), FileUrlsModule, QuotasModule, IdempotencyModule],
  controllers: [
    UploadsController,
    DirectUploadsController,
    SourcesController,
    SourceFilesController,
    SessionSourcesController,
    ThumbnailFilesController,
  ],
  providers: [
    SourcesRepository,
    KnownSources,
    SourcePresenter,
    SourcesService,
    UploadQuota,
    UploadSlots,
    ImageProbe,
    UrlFetch,
    SourceRecords,
    SourceIntake,
    UploadsService,
    DirectUploadsRepository,
    DirectUploads,
    SourceThumbnails,
  ],
  exports: [
    FileUrlsModule,
    ImageProbe,
    KnownSources,
    SourceIntake,
    SourcesRepository,
    SourcesService,
    UploadSlots,
    UploadsService,
    UrlFetch,
  ],
})
export class UploadsModule {}
