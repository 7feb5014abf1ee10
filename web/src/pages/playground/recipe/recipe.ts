import type { CreateJob, EnhancementStep, Job, Output } from 'image-enhancement-client';
import type { Level } from '../../../api/jobs/job.js';

export const MAX_STEPS = 6;
export const DEFAULT_LEVEL: Level = 'medium';
const FIRST_OPERATION = 'auto_enhance';

/** An operation of the recipe. The id identifies the step while it is moved. */
export interface Step extends EnhancementStep {
  readonly id: number;
}

/** What the playground does with a photo: one or several operations, and the output options. */
export interface Recipe {
  readonly steps: readonly Step[];
  /** The id of the step that is being edited. */
  readonly selectedId: number;
  /** Only the options that differ from the defaults. */
  readonly output: Output;
}

/** The part of a job request that a recipe determines. */
export type RecipeOrder = Pick<CreateJob, 'operation' | 'level' | 'operations' | 'output'>;

export const FIRST_RECIPE: Recipe = recipeFrom([{ operation: FIRST_OPERATION, level: DEFAULT_LEVEL }], {});

/** A recipe with these operations. At least one is required. */
export function recipeFrom(operations: readonly EnhancementStep[], output: Output | undefined): Recipe {
  const steps = operations.slice(0, MAX_STEPS).map((step, id) => Object.assign({}, step, { id }));
  return { steps, selectedId: 0, output: output ?? {} };
}

/** The recipe of a job. */
export function recipeOf({ operations, output }: Pick<Job, 'operations' | 'output'>): Recipe {
  const steps = operations.map(({ model: _model, timings: _timings, ...step }) => step);
  const { quality, background, ...options } = output;
  return recipeFrom(steps, {
    ...options,
    ...(quality !== null && { quality }),
    ...(background !== null && { background }),
  });
}

/** The request fields. A single operation is sent in top-level fields, as in most jobs. */
export function orderOf({ steps, output }: Pick<Recipe, 'steps' | 'output'>): RecipeOrder {
  const operations = steps.map(({ id: _id, ...step }) => step);
  const [only] = operations;
  const what = operations.length === 1 && only !== undefined ? only : { operations };
  return Object.keys(output).length === 0 ? what : { ...what, output };
}

export function selectedStep({ steps, selectedId }: Recipe): Step {
  const step = steps.find(({ id }) => id === selectedId) ?? steps[0];
  if (step === undefined) throw new Error('A recipe has at least one step.');
  return step;
}

/** Appends a step and selects it. */
export function withStep(recipe: Recipe, operation: string): Recipe {
  if (recipe.steps.length >= MAX_STEPS) return recipe;
  const id = Math.max(...recipe.steps.map((step) => step.id)) + 1;
  return { ...recipe, steps: [...recipe.steps, { id, operation, level: DEFAULT_LEVEL }], selectedId: id };
}

/** Removes a step, unless it is the only one. */
export function withoutStep(recipe: Recipe, id: number): Recipe {
  if (recipe.steps.length === 1) return recipe;
  const at = recipe.steps.findIndex((step) => step.id === id);
  const steps = recipe.steps.filter((step) => step.id !== id);
  const next = steps[Math.min(at, steps.length - 1)];
  const selectedId = recipe.selectedId === id && next !== undefined ? next.id : recipe.selectedId;
  return { ...recipe, steps, selectedId };
}

/** Moves a step, but not beyond the ends. @param by −1: earlier, 1: later */
export function movedStep(recipe: Recipe, id: number, by: number): Recipe {
  const at = recipe.steps.findIndex((step) => step.id === id);
  const step = recipe.steps[at];
  if (step === undefined || at + by < 0 || at + by >= recipe.steps.length) return recipe;
  const steps = recipe.steps.filter((other) => other !== step);
  return { ...recipe, steps: steps.toSpliced(at + by, 0, step) };
}

/** Changes the operation or level of the selected step. Discards its strength and size. */
export function changedStep(recipe: Recipe, change: { operation?: string; level?: Level }): Recipe {
  const { id, operation, level = DEFAULT_LEVEL } = selectedStep(recipe);
  const changed: Step = { id, operation, level, ...change };
  return { ...recipe, steps: recipe.steps.map((step) => (step.id === id ? changed : step)) };
}

/** Undefined resets an option to its default. */
export function changedOutput(recipe: Recipe, change: Partial<Output>): Recipe {
  const merged = { ...recipe.output, ...change };
  const output = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...recipe, output };
}

/** Whether a job used a recipe. The job contains all options, including those that the recipe leaves to the service. */
export function isMadeWith(job: Pick<Job, 'operations' | 'output'>, recipe: Recipe): boolean {
  const made = recipeOf(job);
  const { format, padding, shadow } = recipe.output;
  const left: Partial<Output> = {
    ...(format === undefined && { format: undefined }),
    ...(padding === undefined && made.output.padding === 0 && { padding: undefined }),
    ...(shadow === true && made.output.shadow !== undefined && { shadow: true }),
  };
  return recipeText(changedOutput(made, left)) === recipeText(recipe);
}

/** A text that is equal for equivalent recipes. */
export function recipeText(recipe: Pick<Recipe, 'steps' | 'output'>): string {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(orderOf(recipe), sorted);
}
