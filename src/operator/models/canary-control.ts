import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-actions.js';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import type { RequestedCanary, VersionChoice } from '../../models/repository/version-choice.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { VersionChoicesRepository } from '../../models/serving/version-choices.repository.js';
import type { ConsoleOperationDto } from './console-models.dto.js';
import { ModelConsole } from './model-console.js';
import { refuseUnavailable, unavailableVersion } from './unavailable-version.js';

/** Gives a version to a share of new jobs, then to all of them or to none. For the api and `npm run admin`. */
@Injectable()
export class CanaryControl {
  constructor(
    private readonly console: ModelConsole,
    private readonly workers: ModelWorkersRepository,
    private readonly choices: VersionChoicesRepository,
    private readonly database: Database,
  ) {}

  /**
   * Starts a canary, or changes its share. The version that serves is fixed, so that no higher one takes its place. The
   * same request twice changes nothing. A change is recorded in the audit log.
   * @throws AppError `not_found`, or `version_unavailable`
   */
  async set(operation: string, canary: RequestedCanary): Promise<ConsoleOperationDto> {
    const { version, percent, by } = canary;
    const { offered } = await this.console.operation(operation);
    refuseUnavailable(await this.workers.all(), operation, version);
    await this.change(operation, async (tx, choice) => {
      const serving = choice.serving ?? offered;
      if (serving === null)
        throw unavailableVersion(
          `No version of ${operation} serves. Choose one to serve. Nothing was changed.`,
        );
      if (serving === version)
        throw unavailableVersion(`${operation}/${version} serves all jobs already. Nothing was changed.`);
      const before = choice.canary;
      const isSame = before?.version === version && before.percent === percent && before.by === by;
      if (isSame) return;
      await this.choices.save(tx, { ...choice, serving, canary });
      const isNew = before?.version !== version;
      const from = isNew ? String(serving) : textOf(before);
      const details = { from, to: textOf(canary) };
      await record(tx, isNew ? 'model.canary_started' : 'model.canary_changed', operation, details);
    });
    return this.console.operation(operation);
  }

  /** The canary serves all new jobs. @throws AppError `not_found`, or `canary_changed` */
  promote(operation: string, version: number): Promise<ConsoleOperationDto> {
    return this.end(operation, version, async (tx, choice) => {
      await this.choices.save(tx, {
        operation,
        serving: version,
        previous: choice.serving,
        canary: null,
      });
      const details = { from: String(choice.serving), to: String(version) };
      await record(tx, 'model.canary_promoted', operation, details);
    });
  }

  /** No new job gets the canary. @throws AppError `not_found`, or `canary_changed` */
  cancel(operation: string, version: number): Promise<ConsoleOperationDto> {
    return this.end(operation, version, async (tx, choice) => {
      await this.choices.save(tx, { ...choice, canary: null });
      const details = { from: String(version), to: String(choice.serving) };
      await record(tx, 'model.canary_canceled', operation, details);
    });
  }

  /** Ends the canary as it is known to the operator; one that has ended already is left as it ended. */
  private async end(
    operation: string,
    version: number,
    work: (tx: Queryable, choice: VersionChoice) => Promise<void>,
  ): Promise<ConsoleOperationDto> {
    await this.console.operation(operation);
    await this.change(operation, async (tx, choice) => {
      if (choice.canary === null) return;
      if (choice.canary.version !== version) throw changedCanary(operation, choice.canary.version);
      await work(tx, choice);
    });
    return this.console.operation(operation);
  }

  private change(
    operation: string,
    work: (tx: Queryable, choice: VersionChoice) => Promise<void>,
  ): Promise<void> {
    return this.database.transaction(async (tx) => work(tx, await this.choices.lock(tx, operation)));
  }
}

const textOf = ({ version, percent, by }: RequestedCanary): string => `${version} (${percent} % by ${by})`;

const changedCanary = (operation: string, version: number): AppError =>
  new AppError('canary_changed', {
    detail: `The canary is ${operation}/${version} by now. Nothing was changed.`,
  });

function record(
  tx: Queryable,
  action: AuditAction,
  operation: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return auditLog.record(tx, { action, accountId: null, targetId: operation, details });
}
