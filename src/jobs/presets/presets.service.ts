import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { BUILT_IN_PRESETS, builtInPreset, refuseBuiltIn } from './built-in-presets.js';
import { PRESET_NAME, type Preset } from './preset.js';
import type { PresetDto } from './preset.dto.js';
import { PresetCheck } from './preset-check.js';
import { PresetExpansion, presetNotFound } from './preset-expansion.js';
import { PresetsRepository } from './presets.repository.js';
import type { SavePresetDto } from './save-preset.dto.js';

/** Presets of one account, without the built-in ones. */
export const MAX_PRESETS = 50;

@Injectable()
export class PresetsService {
  constructor(
    private readonly presets: PresetsRepository,
    private readonly expansion: PresetExpansion,
    private readonly checks: PresetCheck,
    private readonly database: Database,
  ) {}

  async list(accountId: string): Promise<PresetDto[]> {
    return [...BUILT_IN_PRESETS, ...(await this.presets.list(this.database, accountId))].map(presented);
  }

  /** @throws AppError `preset_not_found` */
  async get(accountId: string, name: string): Promise<PresetDto> {
    requireName(name);
    return presented(await this.expansion.find(this.database, accountId, name));
  }

  /**
   * Adds or replaces a preset. Jobs that were made with it do not change.
   * @throws AppError `invalid_request`, `preset_read_only`, `preset_limit_reached`
   */
  async save(
    accountId: string,
    name: string,
    dto: SavePresetDto,
  ): Promise<{ readonly preset: PresetDto; readonly isNew: boolean }> {
    if (!PRESET_NAME.test(name)) throw invalidName();
    refuseBuiltIn(name);
    await this.checks.check(accountId, dto);
    const { operations, output = null } = dto;
    return this.database.transaction(async (tx) => {
      const saved = await this.presets.save(tx, accountId, { name, operations, output }, MAX_PRESETS);
      if (saved.kind === 'full') throw new AppError('preset_limit_reached');
      const details = { operations: operations.map(({ operation }) => operation) };
      if (saved.kind !== 'unchanged')
        await auditLog.record(tx, { action: `preset.${saved.kind}`, accountId, targetId: name, details });
      return { preset: presented(saved.preset), isNew: saved.kind === 'created' };
    });
  }

  /** Jobs that were made with it do not change. @throws AppError `preset_not_found`, `preset_read_only` */
  async delete(accountId: string, name: string): Promise<void> {
    requireName(name);
    refuseBuiltIn(name);
    await this.database.transaction(async (tx) => {
      if (!(await this.presets.delete(tx, accountId, name))) throw presetNotFound(name);
      await auditLog.record(tx, { action: 'preset.deleted', accountId, targetId: name });
    });
  }
}

/** PostgreSQL refuses some texts, so invalid names are not queried. */
function requireName(name: string): void {
  if (!PRESET_NAME.test(name)) throw presetNotFound(name);
}

function invalidName(): AppError {
  const message =
    'name must have 1 to 63 lowercase letters (a–z), digits and hyphens, and begin with a letter or digit.';
  return invalidRequest([{ field: 'name', code: 'matches', message }]);
}

function presented({ name, operations, output, createdAt, updatedAt }: Preset): PresetDto {
  return {
    name,
    operations: [...operations],
    ...(output !== null && { output }),
    isBuiltIn: builtInPreset(name) !== undefined,
    createdAt: createdAt?.toISOString() ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}
