import { Injectable } from '@nestjs/common';
import { FileUrls } from '../files/file-urls.js';
import type { SourceDto } from '../../common/resources/source.dto.js';
import type { SessionSourceDto } from './session-source.dto.js';
import type { SourceEntity } from './source.entity.js';

/** Converts a row to what clients see. */
@Injectable()
export class SourcePresenter {
  constructor(private readonly fileUrls: FileUrls) {}

  present(source: Omit<SourceEntity, 'deletedAt'>): SourceDto {
    return {
      url: this.fileUrls.sign(source.id, source.format),
      id: source.id,
      format: source.format,
      width: source.width,
      height: source.height,
      bytes: source.bytes,
      sha256: source.sha256,
      createdAt: source.createdAt.toISOString(),
    };
  }

  /** For the owner, in the dashboard. */
  presentToOwner(source: SourceEntity): SessionSourceDto {
    return Object.assign(this.present(source), { name: source.name });
  }
}
