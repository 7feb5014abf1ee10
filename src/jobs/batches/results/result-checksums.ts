import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../../infra/database/database.js';
import { type ByteRange, ObjectStore } from '../../../infra/storage/object-store.js';
import { AppError } from '../../../kernel/app-error.js';
import type { JobWithSource } from '../../job-presenter.js';
import type { StoredItem, StoredResult } from './result-files.js';

const REMEMBER: Prepared = {
  name: 'job_remember_crc32',
  text: `UPDATE jobs SET result_crc32 = $2 WHERE id = $1 AND result_key = $3`,
};

const FORGET: Prepared = {
  name: 'job_forget_crc32',
  text: `UPDATE jobs SET result_crc32 = NULL WHERE id = $1 AND result_key = $2`,
};

/** Checksums of results. Workers record them; those of earlier versions did not. */
@Injectable()
export class ResultChecksums {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
  ) {}

  /** Reads each result without a checksum once, and records it. Leaves out results that are gone. */
  async of(jobs: readonly JobWithSource[]): Promise<StoredItem[]> {
    const items: StoredItem[] = [];
    for (const job of jobs) {
      const checksum = job.resultCrc32 ?? (await this.read(job));
      if (checksum !== null) items.push({ job, crc32: checksum });
    }
    return items;
  }

  /** Opens a part of a result. One that is gone loses its checksum, so `of` leaves it out from now on. */
  async open({ jobId, objectKey }: StoredResult, part: ByteRange): Promise<Readable> {
    try {
      return (await this.store.open(objectKey, () => part)).stream;
    } catch (error) {
      if (isGone(error)) await this.database.query(FORGET, [jobId, objectKey]);
      throw error;
    }
  }

  private async read({ id, resultKey }: JobWithSource): Promise<number | null> {
    const opened = await this.store.open(resultKey!).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (opened === null) return null;
    const { stream } = opened;
    let checksum = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) checksum = crc32(chunk, checksum);
    await this.database.query(REMEMBER, [id, checksum, resultKey]);
    return checksum;
  }
}

const isGone = (error: unknown): boolean => error instanceof AppError && error.code === 'gone';
