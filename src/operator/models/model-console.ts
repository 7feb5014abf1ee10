import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { ModelWorkersRepository } from '../../models/serving/model-workers.repository.js';
import { VersionChoicesRepository } from '../../models/serving/version-choices.repository.js';
import { requestModelReload } from '../../models/serving/models-reload.js';
import type { ConsoleModelsDto, ConsoleOperationDto, ReloadedDto } from './console-models.dto.js';
import { modelOverview, type VersionFolder } from './model-overview.js';

/** The versions of all models, and where they are loaded. For the API and `npm run admin`. */
@Injectable()
export class ModelConsole {
  constructor(
    private readonly workers: ModelWorkersRepository,
    private readonly choices: VersionChoicesRepository,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<Config, 'modelsDir'>,
  ) {}

  async list(): Promise<ConsoleModelsDto> {
    const [folders, workers, choices] = await Promise.all([
      versionFolders(this.config.modelsDir),
      this.workers.allWithEarlierRefusals(),
      this.choices.all(),
    ]);
    return { data: modelOverview(folders, workers, choices) };
  }

  /** One operation. @throws AppError `not_found` */
  async operation(name: string): Promise<ConsoleOperationDto> {
    const found = (await this.list()).data.find(({ operation }) => operation === name);
    if (found !== undefined) return found;
    throw new AppError('not_found', { detail: `There is no model for "${name}".` });
  }

  /** Makes every worker check its models now, and retry refused versions. Recorded in the audit log. */
  async reload(): Promise<ReloadedDto> {
    const living = (await this.workers.all()).filter(({ alive }) => alive).length;
    await this.database.transaction(async (tx) => {
      await auditLog.record(tx, { action: 'models.reloaded', accountId: null });
      await requestModelReload(tx);
    });
    return { workers: living };
  }
}

/** Empty on a machine without the model repository. Workers on other machines report their versions. */
async function versionFolders(modelsDir: string): Promise<VersionFolder[]> {
  const operations = await namesIn(modelsDir);
  const found = await Promise.all(
    operations
      .filter((name) => !name.startsWith('.'))
      .map(async (operation) =>
        (await namesIn(join(modelsDir, operation)))
          .filter((version) => /^[1-9]\d{0,8}$/.test(version))
          .map((version) => ({ operation, version })),
      ),
  );
  return found.flat();
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
