import { access, constants } from 'node:fs/promises';
import { sep } from 'node:path';

/** The model repository cannot be read. The message is for operators. */
export class ModelsUnreadable extends Error {
  constructor(root: string, cause: unknown) {
    const folder = process.cwd();
    const remedy = root.startsWith(folder + sep)
      ? `A relative path, such as the default "./models", starts at the working directory ${folder}.`
      : '';
    super(
      `The model repository ${root} cannot be read; set MODELS_DIR to the models folder. ${remedy}`.trimEnd(),
      { cause },
    );
    this.name = 'ModelsUnreadable';
  }
}

/**
 * Called before a role writes anything, because it may run in a wrong folder.
 * @param root absolute path of the model repository
 * @throws ModelsUnreadable
 */
export async function requireModelsFolder(root: string): Promise<void> {
  await access(root, constants.R_OK | constants.X_OK).catch((error: unknown) => {
    throw new ModelsUnreadable(root, error);
  });
}
