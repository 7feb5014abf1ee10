import { Injectable } from '@nestjs/common';
import type { SourceDto } from '../../common/resources/source.dto.js';
import type { Queryable } from '../../infra/database/database.js';
import { writeEvent } from '../../webhooks/events/outbox.js';
import { KnownSources } from '../sources/known-sources.js';
import { SourcePresenter } from '../sources/source-presenter.js';
import { type NewSource, SourcesRepository } from '../sources/sources.repository.js';

/** Writes the rows of a new source. */
@Injectable()
export class SourceRecords {
  constructor(
    private readonly sources: SourcesRepository,
    private readonly known: KnownSources,
    private readonly presenter: SourcePresenter,
  ) {}

  /** Inserts the row and writes the event. */
  async insert(tx: Queryable, source: NewSource): Promise<SourceDto> {
    const createdAt = await this.sources.insert(tx, source);
    const upload = this.presenter.present({ ...source, createdAt });
    const { accountId } = source;
    await writeEvent(tx, { accountId, type: 'image.uploaded', data: { upload }, at: createdAt });
    // Even if the transaction is rolled back: the statement that inserts a job checks that the upload exists.
    this.known.add(accountId, { ...source, deleted: false });
    return upload;
  }
}
