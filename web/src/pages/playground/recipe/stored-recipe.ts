import { USER_STORAGE } from '../../../api/session/user-storage.js';
import { FIRST_RECIPE, type Recipe, recipeFrom } from './recipe.js';

const KEY = USER_STORAGE.recipe;

/** The recipe of this tab, which is restored after a reload or after visiting another page. */
export const storedRecipe = {
  read: (): Recipe | null => {
    try {
      const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Recipe | null;
      if (stored === null || !Array.isArray(stored.steps) || stored.steps.length === 0) return null;
      return recipeFrom(stored.steps, stored.output);
    } catch {
      // Written by another version of the dashboard.
      return null;
    }
  },
  keep: (recipe: Recipe): void => {
    if (recipe === FIRST_RECIPE) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(recipe));
  },
};
