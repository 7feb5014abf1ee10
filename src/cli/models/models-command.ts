import { accessSync, constants, mkdirSync } from 'node:fs';
import type { Config } from '../../config/env.js';
import { s3UrlOf } from '../../config/variables/s3-location.js';
import type { Progress } from './progress.js';

/** What every command gets. */
export interface ModelsContext {
  readonly config: Config;
  /** Whether the output is for a program, so that no question can be asked. */
  readonly isJson: boolean;
  readonly progress: Progress;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** The output of a command: for programs, for people, and whether it succeeded. */
export interface ModelsAnswer {
  readonly json: unknown;
  readonly text: string;
  /** Exit code 1 instead of 0. */
  readonly failed?: boolean;
}

/** A command whose arguments have been read. */
export type ModelsCommand = (context: ModelsContext) => Promise<ModelsAnswer>;

/**
 * For commands that write to the repository, before they spend time or a download.
 * @throws ModelsError when it is in S3, or a folder that cannot be written
 */
export function requireOwnFolder({ modelsUrl, modelsDir }: Config): void {
  if (modelsUrl !== undefined)
    throw new ModelsError(
      `The models are at ${s3UrlOf(modelsUrl)}. Unset MODELS_URL, set MODELS_DIR to a folder, and upload what this command writes there.`,
    );
  try {
    mkdirSync(modelsDir, { recursive: true });
    accessSync(modelsDir, constants.W_OK);
  } catch (error) {
    throw new ModelsError(
      `Nothing can be written to ${modelsDir} (${(error as NodeJS.ErrnoException).code}). Run this command as a user, and on a machine, that can, or set MODELS_DIR to another folder.`,
    );
  }
}

/** A command cannot do what was requested. The message gives the reason and the remedy. */
export class ModelsError extends Error {
  override readonly name = 'ModelsError';
}
