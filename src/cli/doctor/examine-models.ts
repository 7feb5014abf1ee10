import { mirroredModels } from '../../models/mirror/mirrored-models.js';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import type { Config } from '../../config/env.js';
import { SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import { type Finding, missing, note, ok, reasonOf } from './finding.js';

/** Checks that every required operation has a sound model. */
export async function examineModels(config: Config): Promise<readonly Finding[]> {
  const { modelsDir } = config;
  try {
    (await mirroredModels(config, () => undefined))?.close();
    const catalog = await loadCatalog(modelsDir);
    const served = catalog.operations();
    const names = served.map(({ operation, model }) => `${operation}/${model.version}`);
    const lacking = SPECIFIED_OPERATIONS.filter(
      (name) => !served.some(({ operation }) => operation === name),
    );
    return [
      ...(names.length > 0 ? [ok('models', `${modelsDir}: ${names.join(', ')}`)] : []),
      ...lacking.map((name) =>
        missing('models', `no valid version of ${name}`, `Restore ${modelsDir}/${name}, or set MODELS_DIR.`),
      ),
      ...catalog.refusals.map(({ message }) =>
        note('models', message, 'Run "npm run models -- check" for details.'),
      ),
    ];
  } catch (error) {
    return [
      missing(
        'models',
        reasonOf(error),
        'Set MODELS_DIR to the folder with the models, or MODELS_URL to where they are in S3.',
      ),
    ];
  }
}
