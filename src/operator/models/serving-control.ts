import { Injectable } from '@nestjs/common';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { ChoiceChanges } from './choice-changes.js';
import type { ConsoleOperationDto } from './console-models.dto.js';
import { ModelConsole } from './model-console.js';
import { previousOf } from './previous-version.js';
import { refuseUnavailable, unavailableVersion } from './unavailable-version.js';

/** Chooses which versions serve. For the API and `npm run admin`. */
@Injectable()
export class ServingControl {
  constructor(
    private readonly console: ModelConsole,
    private readonly workers: ModelWorkersRepository,
    private readonly changes: ChoiceChanges,
  ) {}

  /**
   * Chooses the version of an operation that serves. Workers adopt it without a restart by an operator, like a new
   * version. Idempotent. A change is recorded in the audit log. It ends a shadow, whose figures compare it with the
   * previous serving version.
   * @param version null for the highest valid version, which also ends a canary
   * @throws AppError `not_found`, or `version_unavailable`
   */
  async choose(operation: string, version: number | null): Promise<ConsoleOperationDto> {
    const { offered } = await this.console.operation(operation);
    if (version !== null) refuseUnavailable(await this.workers.allWithEarlierRefusals(), operation, version);
    await this.changes.make(operation, ({ serving, previous, canary }) => {
      if (serving === version) return null;
      return {
        choice: {
          serving: version,
          previous: previousOf({ serving, previous }, offered, version),
          canary: version === null || version === canary?.version ? null : canary,
          shadow: null,
        },
        action: 'model.version_chosen',
        from: textOf(serving),
        to: textOf(version),
      };
    });
    return this.console.operation(operation);
  }

  /**
   * Chooses the version that served before if it is lower than the current one, otherwise the next lower one.
   * @throws AppError `not_found`, or `version_unavailable` when no lower version can serve
   */
  async rollBack(operation: string): Promise<ConsoleOperationDto> {
    const { rollBackTo } = await this.console.operation(operation);
    if (rollBackTo === null)
      throw unavailableVersion(`No running worker has a lower version of ${operation}. Nothing was changed.`);
    return this.choose(operation, rollBackTo);
  }
}

const textOf = (version: number | null): string => (version === null ? 'highest' : String(version));
