import { Injectable } from '@nestjs/common';
import { AppError } from '../../kernel/app-error.js';
import type { RequestedShadow } from '../../models/repository/version-choice.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { ChoiceChanges } from './choice-changes.js';
import type { ConsoleOperationDto } from './console-models.dto.js';
import { fixedServing } from './fixed-serving.js';
import { ModelConsole } from './model-console.js';
import { refuseUnavailable, unavailableVersion } from './unavailable-version.js';

/** Runs a share of the finished jobs again on another version. For the API and `npm run admin`. */
@Injectable()
export class ShadowControl {
  constructor(
    private readonly console: ModelConsole,
    private readonly workers: ModelWorkersRepository,
    private readonly changes: ChoiceChanges,
  ) {}

  /**
   * Starts a shadow, or changes its share. Pins the serving version, so that no higher one replaces it. Idempotent. A
   * change is recorded in the audit log.
   * @throws AppError `not_found`, or `version_unavailable`
   */
  async set(operation: string, shadow: RequestedShadow): Promise<ConsoleOperationDto> {
    const { version, percent } = shadow;
    const { offered } = await this.console.operation(operation);
    refuseUnavailable(await this.workers.allWithEarlierRefusals(), operation, version);
    await this.changes.make(operation, (choice) => {
      const serving = fixedServing(choice, offered, version);
      if (choice.canary !== null)
        throw unavailableVersion(
          `${operation}/${choice.canary.version} is a canary. Cancel it first: an operation has a canary or a shadow. Nothing was changed.`,
        );
      const before = choice.shadow;
      if (before?.version === version && before.percent === percent) return null;
      const isNew = before?.version !== version;
      return {
        choice: { ...choice, serving, shadow },
        action: isNew ? 'model.shadow_started' : 'model.shadow_changed',
        from: isNew ? String(serving) : textOf(before),
        to: textOf(shadow),
      };
    });
    return this.console.operation(operation);
  }

  /**
   * Ends the shadow that the operator named, and deletes its figures. Does not change a shadow that has already ended.
   * @throws AppError `not_found`, or `shadow_changed`
   */
  async stop(operation: string, version: number): Promise<ConsoleOperationDto> {
    await this.console.operation(operation);
    await this.changes.make(operation, (choice) => {
      if (choice.shadow === null) return null;
      if (choice.shadow.version !== version) throw changedShadow(operation, choice.shadow.version);
      return {
        choice: { ...choice, shadow: null },
        action: 'model.shadow_stopped',
        from: textOf(choice.shadow),
        to: String(choice.serving),
      };
    });
    return this.console.operation(operation);
  }
}

const textOf = ({ version, percent }: RequestedShadow): string => `${version} (${percent}%)`;

const changedShadow = (operation: string, version: number): AppError =>
  new AppError('shadow_changed', {
    detail: `The shadow is now ${operation}/${version}. Nothing was changed.`,
  });
