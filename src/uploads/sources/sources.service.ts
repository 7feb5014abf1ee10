import { Injectable, Logger } from '@nestjs/common';
import { type Page, pageOf, readCursor } from '../../common/lists/pagination.js';
import { Database } from '../../infra/database/database.js';
import { ObjectErasures } from '../../infra/storage/object-erasures.js';
import { isId } from '../../kernel/ids.js';
import { QuotasRepository } from '../../quotas/quotas.repository.js';
import { SourcePresenter } from './source-presenter.js';
import type { SourceDto } from '../../common/resources/source.dto.js';
import type { SessionSourceDto } from './session-source.dto.js';
import { sourceDeleted, sourceNotFound } from './source-errors.js';
import { KnownSources } from './known-sources.js';
import type { SourceEntity } from './source.entity.js';
import { SourcesRepository } from './sources.repository.js';
import { thumbnailKey } from '../thumbnails/thumbnail.js';

@Injectable()
export class SourcesService {
  private readonly logger = new Logger('uploads');

  constructor(
    private readonly sources: SourcesRepository,
    private readonly known: KnownSources,
    private readonly presenter: SourcePresenter,
    private readonly quotas: QuotasRepository,
    private readonly database: Database,
    private readonly erasures: ObjectErasures,
  ) {}

  /** @throws AppError `not_found`, `gone` */
  async get(accountId: string, id: string): Promise<SourceDto> {
    return this.presenter.present(await this.find(accountId, id));
  }

  /** With the file name. @throws as `get` */
  async getForOwner(accountId: string, id: string): Promise<SessionSourceDto> {
    return this.presenter.presentToOwner(await this.find(accountId, id));
  }

  async list(accountId: string, limit: number, cursor: string | undefined): Promise<Page<SourceDto>> {
    return pageOf(await this.rows(accountId, limit, cursor), limit, (row) => this.presenter.present(row));
  }

  /** With the file names. */
  async listForOwner(
    accountId: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<SessionSourceDto>> {
    const rows = await this.rows(accountId, limit, cursor);
    return pageOf(rows, limit, (row) => this.presenter.presentToOwner(row));
  }

  /**
   * Erases the pixels and frees the storage. Jobs made from it keep their results. The dispatcher deletes the objects
   * that cannot be deleted now.
   * @throws as `get`
   */
  async delete(accountId: string, id: string): Promise<void> {
    refuseUnlessId(id);
    const keys = await this.database.transaction(async (tx) => {
      const marked = await this.sources.markDeleted(tx, accountId, id);
      if (marked === undefined) return undefined;
      const erased = [marked.objectKey, thumbnailKey(id)];
      await this.erasures.record(tx, erased);
      await this.quotas.addStorage(tx, accountId, -marked.bytes);
      return erased;
    });
    this.known.forget(accountId, id);
    if (keys === undefined) {
      await this.find(accountId, id);
      return;
    }
    try {
      await this.erasures.eraseThese(keys);
    } catch (error) {
      this.logger.warn({ sourceId: id, error: String(error) }, 'could not erase a deleted photo yet');
    }
  }

  /** The record of a photo that was not deleted. @throws as `get` */
  async find(accountId: string, id: string): Promise<SourceEntity> {
    refuseUnlessId(id);
    const source = await this.sources.find(accountId, id);
    if (source === null) throw sourceNotFound(id);
    if (source.deletedAt !== null) throw sourceDeleted(id);
    return source;
  }

  private rows(accountId: string, limit: number, cursor: string | undefined): Promise<SourceEntity[]> {
    const before = cursor === undefined ? undefined : readCursor('source', cursor);
    return this.sources.list(accountId, limit, before);
  }
}

/** Text that is not an id is not queried: PostgreSQL would reject some of it. */
function refuseUnlessId(id: string): void {
  if (!isId('source', id)) throw sourceNotFound(id);
}
