import { useCallback, useEffect, useState } from 'react';
import type { EnhancementStep, Job, Output } from 'image-enhancement-client';
import type { Level } from '../../../api/jobs/job.js';
import {
  changedOutput,
  changedStep,
  FIRST_RECIPE,
  movedStep,
  recipeFrom,
  type Recipe,
  recipeOf,
  withoutStep,
  withStep,
} from './recipe.js';
import { storedRecipe } from './stored-recipe.js';

/** The recipe of the next run, and functions that change it. */
export interface RecipeEditing {
  readonly recipe: Recipe;
  /** Whether the recipe was restored after a reload, or changed since. */
  readonly isChosen: boolean;
  readonly select: (id: number) => void;
  readonly add: (operation: string) => void;
  readonly remove: (id: number) => void;
  readonly move: (id: number, by: number) => void;
  readonly change: (change: { operation?: string; level?: Level }) => void;
  readonly changeOutput: (change: Partial<Output>) => void;
  /** Replaces the recipe with that of a preset. */
  readonly replace: (operations: readonly EnhancementStep[], output: Output | undefined) => void;
  /** Replaces the recipe with the one of a first visit. */
  readonly reset: () => void;
  readonly takeFrom: (job: Job) => void;
}

export function useRecipe(): RecipeEditing {
  const [recipe, setRecipe] = useState<Recipe>(() => storedRecipe.read() ?? FIRST_RECIPE);
  useEffect(() => storedRecipe.keep(recipe), [recipe]);
  const select = useCallback((selectedId: number) => setRecipe((now) => ({ ...now, selectedId })), []);
  const add = useCallback((operation: string) => setRecipe((now) => withStep(now, operation)), []);
  const remove = useCallback((id: number) => setRecipe((now) => withoutStep(now, id)), []);
  const move = useCallback((id: number, by: number) => setRecipe((now) => movedStep(now, id, by)), []);
  const change = useCallback(
    (changes: { operation?: string; level?: Level }) => setRecipe((now) => changedStep(now, changes)),
    [],
  );
  const changeOutput = useCallback(
    (changes: Partial<Output>) => setRecipe((now) => changedOutput(now, changes)),
    [],
  );
  const replace = useCallback(
    (operations: readonly EnhancementStep[], output: Output | undefined) =>
      setRecipe(recipeFrom(operations, output)),
    [],
  );
  // A copy, so that it counts as chosen.
  const reset = useCallback(() => setRecipe({ ...FIRST_RECIPE }), []);
  const takeFrom = useCallback((job: Job) => setRecipe(recipeOf(job)), []);
  return {
    recipe,
    isChosen: recipe !== FIRST_RECIPE,
    select,
    add,
    remove,
    move,
    change,
    changeOutput,
    replace,
    reset,
    takeFrom,
  };
}
