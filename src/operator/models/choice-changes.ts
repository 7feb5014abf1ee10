import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../../audit/audit-actions.js';
import { auditLog } from '../../audit/audit-log.js';
import { Database } from '../../infra/database/database.js';
import type { VersionChoice } from '../../models/repository/version-choice.js';
import {
  type ChangedChoice,
  VersionChoicesRepository,
} from '../../models/serving/version-choices.repository.js';

/** A change of an operator's choice for an operation, and its audit event. */
export interface ChoiceChange {
  readonly choice: Omit<ChangedChoice, 'operation'>;
  readonly action: AuditAction;
  readonly from: string;
  readonly to: string;
}

/** Changes the choices of operators, one change per operation at a time. Each is recorded in the audit log. */
@Injectable()
export class ChoiceChanges {
  constructor(
    private readonly choices: VersionChoicesRepository,
    private readonly database: Database,
  ) {}

  /** @param decide called with the current choice; returns null to change nothing */
  make(operation: string, decide: (current: VersionChoice) => ChoiceChange | null): Promise<void> {
    return this.database.transaction(async (tx) => {
      const change = decide(await this.choices.lock(tx, operation));
      if (change === null) return;
      const { choice, action, from, to } = change;
      await this.choices.save(tx, { operation, ...choice });
      const details = { from, to };
      await auditLog.record(tx, { action, accountId: null, targetId: operation, details });
    });
  }
}
