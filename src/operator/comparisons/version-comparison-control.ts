import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { isId, newId } from '../../kernel/ids.js';
import type {
  ComparedVersions,
  ComparisonImage,
  VersionComparison,
} from '../../models/serving/comparisons/version-comparison.js';
import {
  MAX_UNFINISHED,
  VersionComparisonsRepository,
} from '../../models/serving/comparisons/version-comparisons.repository.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { ModelConsole } from '../models/model-console.js';
import { refuseUnavailable } from '../models/unavailable-version.js';
import type { VersionComparisonDto } from './version-comparison.dto.js';

const KEPT_MS = 86_400_000;
const MAX_LISTED = 20;

/** Compares two versions of a model on a photo. For the API and `npm run admin`. */
@Injectable()
export class VersionComparisonControl {
  constructor(
    private readonly console: ModelConsole,
    private readonly workers: ModelWorkersRepository,
    private readonly comparisons: VersionComparisonsRepository,
    private readonly database: Database,
  ) {}

  /**
   * Requests a comparison from a worker that has both versions, and returns at once. Recorded in the audit log.
   * @param accountId the account that owns the photo and may see the results; null for the command line
   * @param readPhoto returns the uploaded file; called after all other checks
   * @throws AppError `not_found`, `invalid_request`, `version_unavailable`, or `comparison_limit_reached`
   */
  async start(
    accountId: string | null,
    compared: ComparedVersions,
    readPhoto: () => Promise<Buffer>,
  ): Promise<VersionComparisonDto> {
    const { operation, a, b } = compared;
    await this.console.operation(operation);
    if (a === b) throw sameVersion();
    const workers = await this.workers.all();
    for (const version of [a, b]) refuseUnavailable(workers, operation, version);
    const photo = await readPhoto();
    const created = await this.database.transaction(async (tx) => {
      const unfinished = await this.comparisons.countUnfinished(tx);
      if (unfinished >= MAX_UNFINISHED) throw new AppError('comparison_limit_reached');
      const details = { from: String(a), to: String(b) };
      await auditLog.record(tx, {
        action: 'model.versions_compared',
        accountId: null,
        targetId: operation,
        details,
      });
      return this.comparisons.insert(tx, newId('comparison'), accountId, compared, photo);
    });
    return presented(created);
  }

  /** @throws AppError `not_found` */
  async read(id: string, accountId: string | null): Promise<VersionComparisonDto> {
    const found = isId('comparison', id) ? await this.comparisons.find(id, accountId) : undefined;
    if (found === undefined) throw unknownComparison();
    return presented(found);
  }

  /** Comparisons of the last 24 hours, newest first. */
  async list(accountId: string, operation: string): Promise<readonly VersionComparisonDto[]> {
    await this.console.operation(operation);
    return (await this.comparisons.list(accountId, operation, MAX_LISTED)).map(presented);
  }

  /** An image of a comparison, as WebP. @throws AppError `not_found` */
  async image(id: string, accountId: string | null, image: ComparisonImage): Promise<Buffer> {
    const found = isId('comparison', id) ? await this.comparisons.image(id, accountId, image) : undefined;
    if (found === undefined) throw unknownComparison();
    return found;
  }
}

function presented({ createdAt, endedAt, ...comparison }: VersionComparison): VersionComparisonDto {
  const { id, operation, level, a, b, status, results, failure } = comparison;
  return {
    id,
    operation,
    level,
    a,
    b,
    status,
    results,
    failure,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    expiresAt: new Date(createdAt.getTime() + KEPT_MS).toISOString(),
  };
}

const unknownComparison = (): AppError =>
  new AppError('not_found', {
    detail:
      'There is no such comparison of yours, or it has no such picture. Comparisons are deleted after a day.',
  });

const sameVersion = (): AppError =>
  new AppError('invalid_request', {
    detail: 'A version cannot be compared with itself.',
    errors: [{ field: 'b', code: 'same', message: 'b must be another version than a' }],
  });
