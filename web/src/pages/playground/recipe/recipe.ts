import type { CreateJob, EnhancementStep, Job, Output } from 'image-enhancement-client';
import type { Level } from '../../../api/jobs/job.js';

export const MAX_STEPS = 6;
export const DEFAULT_LEVEL: Level = 'medium';
const FIRST_OPERATION = 'auto_enhance';

/** An operation of the recipe. The id tells steps apart while they are moved. */
export interface Step extends EnhancementStep {
  readonly id: number;
}

/** What the playground does to a photo: one or several operations, and the options of the result. */
export interface Recipe {
  readonly steps: readonly Step[];
  /** The id of the step that the pickers change. */
  readonly selectedId: number;
  /** Only what differs from the defaults. */
  readonly output: Output;
}

/** The part of a job request that a recipe stands for. */
export type RecipeOrder = Pick<CreateJob, 'operation' | 'level' | 'operations' | 'output'>;

export const FIRST_RECIPE: Recipe = recipeFrom([{ operation: FIRST_OPERATION, level: DEFAULT_LEVEL }], {});

/** A recipe with these operations, at least one. */
export function recipeFrom(operations: readonly EnhancementStep[], output: Output | undefined): Recipe {
  const steps = operations.slice(0, MAX_STEPS).map((step, id) => Object.assign({}, step, { id }));
  return { steps, selectedId: 0, output: output ?? {} };
}

/** The recipe that a job was made with. */
export function recipeOf({ operations, output }: Pick<Job, 'operations' | 'output'>): Recipe {
  const steps = operations.map(({ model: _model, timings: _timings, ...step }) => step);
  const { quality, background, ...options } = output;
  return recipeFrom(steps, {
    ...options,
    ...(quality !== null && { quality }),
    ...(background !== null && { background }),
  });
}

/** What is sent: the fields of a single operation at the top level, as for most jobs. */
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

/** Adds a step at the end, which is then the selected one. */
export function withStep(recipe: Recipe, operation: string): Recipe {
  if (recipe.steps.length >= MAX_STEPS) return recipe;
  const id = Math.max(...recipe.steps.map((step) => step.id)) + 1;
  return { ...recipe, steps: [...recipe.steps, { id, operation, level: DEFAULT_LEVEL }], selectedId: id };
}

/** The last step stays. */
export function withoutStep(recipe: Recipe, id: number): Recipe {
  if (recipe.steps.length === 1) return recipe;
  const at = recipe.steps.findIndex((step) => step.id === id);
  const steps = recipe.steps.filter((step) => step.id !== id);
  const next = steps[Math.min(at, steps.length - 1)];
  const selectedId = recipe.selectedId === id && next !== undefined ? next.id : recipe.selectedId;
  return { ...recipe, steps, selectedId };
}

/** @param by −1: earlier, 1: later; beyond the ends nothing changes */
export function movedStep(recipe: Recipe, id: number, by: number): Recipe {
  const at = recipe.steps.findIndex((step) => step.id === id);
  const step = recipe.steps[at];
  if (step === undefined || at + by < 0 || at + by >= recipe.steps.length) return recipe;
  const steps = recipe.steps.filter((other) => other !== step);
  return { ...recipe, steps: steps.toSpliced(at + by, 0, step) };
}

/** Another operation or level for the selected step; strengths and sizes of the one before go with it. */
export function changedStep(recipe: Recipe, change: { operation?: string; level?: Level }): Recipe {
  const { id, operation, level = DEFAULT_LEVEL } = selectedStep(recipe);
  const changed: Step = { id, operation, level, ...change };
  return { ...recipe, steps: recipe.steps.map((step) => (step.id === id ? changed : step)) };
}

/** Undefined takes an option back to its default. */
export function changedOutput(recipe: Recipe, change: Partial<Output>): Recipe {
  const merged = { ...recipe.output, ...change };
  const output = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return { ...recipe, output };
}

/** Whether a job was made with a recipe. What the recipe leaves to the service, the job says in full. */
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

/** A text that is the same for recipes that make the same. */
export function recipeText(recipe: Pick<Recipe, 'steps' | 'output'>): string {
  const sorted = (_key: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return JSON.stringify(orderOf(recipe), sorted);
}
