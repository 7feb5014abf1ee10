import { Injectable } from '@nestjs/common';
import { AppError } from '../../kernel/app-error.js';
import type { RequestedCanary, VersionChoice } from '../../models/repository/version-choice.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { type ChoiceChange, ChoiceChanges } from './choice-changes.js';
import type { ConsoleOperationDto } from './console-models.dto.js';
import { fixedServing } from './fixed-serving.js';
import { ModelConsole } from './model-console.js';
import { previousOf } from './previous-version.js';
import { refuseUnavailable, unavailableVersion } from './unavailable-version.js';

/** Runs a share of new jobs on a version, and later all or none. For the API and `npm run admin`. */
@Injectable()
export class CanaryControl {
  constructor(
    private readonly console: ModelConsole,
    private readonly workers: ModelWorkersRepository,
    private readonly changes: ChoiceChanges,
  ) {}

  /**
   * Starts a canary, or changes its share. Pins the serving version, so that no higher one replaces it. Idempotent. A
   * change is recorded in the audit log.
   * @throws AppError `not_found`, or `version_unavailable`
   */
  async set(operation: string, canary: RequestedCanary): Promise<ConsoleOperationDto> {
    const { version, percent, by } = canary;
    const { offered } = await this.console.operation(operation);
    refuseUnavailable(await this.workers.allWithEarlierRefusals(), operation, version);
    await this.changes.make(operation, (choice) => {
      const serving = fixedServing(choice, offered, version);
      if (choice.shadow !== null)
        throw unavailableVersion(
          `${operation}/${choice.shadow.version} is a shadow. Stop it first: an operation has a canary or a shadow. Nothing was changed.`,
        );
      const before = choice.canary;
      const isSame = before?.version === version && before.percent === percent && before.by === by;
      if (isSame) return null;
      const isNew = before?.version !== version;
      return {
        choice: { ...choice, serving, canary },
        action: isNew ? 'model.canary_started' : 'model.canary_changed',
        from: isNew ? String(serving) : textOf(before),
        to: textOf(canary),
      };
    });
    return this.console.operation(operation);
  }

  /**
   * Makes the canary serve all new jobs.
   * @throws AppError `not_found`, `canary_changed`, or `version_unavailable`: without the canary, workers would serve the
   * highest version, which nobody chose
   */
  async promote(operation: string, version: number): Promise<ConsoleOperationDto> {
    const workers = await this.workers.allWithEarlierRefusals();
    const { offered } = await this.console.operation(operation);
    return this.end(operation, version, (choice) => {
      refuseUnavailable(workers, operation, version);
      const previous = previousOf(choice, offered, version);
      return {
        choice: { serving: version, previous, canary: null, shadow: null },
        action: 'model.canary_promoted',
        from: String(choice.serving),
        to: String(version),
      };
    });
  }

  /** Stops running new jobs on the canary. @throws AppError `not_found`, or `canary_changed` */
  cancel(operation: string, version: number): Promise<ConsoleOperationDto> {
    return this.end(operation, version, (choice) => ({
      choice: { ...choice, canary: null },
      action: 'model.canary_canceled',
      from: String(version),
      to: String(choice.serving),
    }));
  }

  /** Ends the canary that the operator named. Does not change a canary that has already ended. */
  private async end(
    operation: string,
    version: number,
    changeOf: (choice: VersionChoice) => ChoiceChange,
  ): Promise<ConsoleOperationDto> {
    await this.console.operation(operation);
    await this.changes.make(operation, (choice) => {
      if (choice.canary === null) return null;
      if (choice.canary.version !== version) throw changedCanary(operation, choice.canary.version);
      return changeOf(choice);
    });
    return this.console.operation(operation);
  }
}

const textOf = ({ version, percent, by }: RequestedCanary): string => `${version} (${percent}% by ${by})`;

const changedCanary = (operation: string, version: number): AppError =>
  new AppError('canary_changed', {
    detail: `The canary is now ${operation}/${version}. Nothing was changed.`,
  });
