import type { Config } from '../../config/env.js';
import type { ParsedArguments } from '../arguments.js';
import type { Progress } from './progress.js';

/** What a command works with. */
export interface ModelsContext {
  readonly config: Config;
  readonly given: ParsedArguments;
  readonly progress: Progress;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** What a command found: for machines, for people, and whether all is well. */
export interface ModelsAnswer {
  readonly json: unknown;
  readonly text: string;
  /** Exit code 1 instead of 0. */
  readonly failed?: boolean;
}

export type ModelsCommand = (context: ModelsContext) => Promise<ModelsAnswer>;

/** A command that cannot do what it was asked; the message says why and what to do. */
export class ModelsError extends Error {
  override readonly name = 'ModelsError';
}
