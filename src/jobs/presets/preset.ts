import type { EnhancementStepDto } from '../creation/enhancement-step.dto.js';
import type { OutputDto } from '../creation/output/output.dto.js';

/** The pattern of names, also for `preset` in a request. */
export const PRESET_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** What the jobs that name it do: a chain, and its output. */
export interface Preset {
  readonly name: string;
  readonly operations: readonly EnhancementStepDto[];
  /** As a request states it; null: the defaults. */
  readonly output: OutputDto | null;
  /** Null for built-in presets. */
  readonly createdAt: Date | null;
  readonly updatedAt: Date | null;
}
