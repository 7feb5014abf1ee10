import { describe, expect, it } from 'vitest';
import {
  isMadeWith,
  changedOutput,
  changedStep,
  FIRST_RECIPE,
  MAX_STEPS,
  movedStep,
  orderOf,
  type Recipe,
  recipeFrom,
  recipeOf,
  recipeText,
  withoutStep,
  withStep,
} from './recipe.js';

const names = ({ steps }: Recipe) => steps.map(({ operation }) => operation);
const chain = withStep(withStep(FIRST_RECIPE, 'upscale'), 'bg_remove');

describe('a recipe', () => {
  it('is sent as a single operation or as a chain', () => {
    expect(orderOf(FIRST_RECIPE)).toEqual({ operation: 'auto_enhance', level: 'medium' });
    expect(orderOf(changedOutput(chain, { format: 'webp' }))).toEqual({
      operations: [
        { operation: 'auto_enhance', level: 'medium' },
        { operation: 'upscale', level: 'medium' },
        { operation: 'bg_remove', level: 'medium' },
      ],
      output: { format: 'webp' },
    });
  });

  it('has one to six steps', () => {
    let recipe = FIRST_RECIPE;
    for (let count = 0; count < 9; count += 1) recipe = withStep(recipe, 'upscale');
    expect(recipe.steps).toHaveLength(MAX_STEPS);
    for (const { id } of recipe.steps) recipe = withoutStep(recipe, id);
    expect(recipe.steps).toHaveLength(1);
  });

  it('moves steps within its bounds', () => {
    const [first, , last] = chain.steps;
    expect(names(movedStep(chain, last!.id, -1))).toEqual(['auto_enhance', 'bg_remove', 'upscale']);
    expect(names(movedStep(chain, first!.id, 2))).toEqual(['upscale', 'bg_remove', 'auto_enhance']);
    expect(movedStep(chain, first!.id, -1)).toBe(chain);
  });

  it('selects an added step, and a neighbor of a removed one', () => {
    expect(chain.selectedId).toBe(chain.steps[2]!.id);
    expect(withoutStep(chain, chain.selectedId).selectedId).toBe(chain.steps[1]!.id);
  });

  it('changes the selected step, and drops its previous options', () => {
    const recipe = recipeFrom([{ operation: 'upscale', level: 'high', width: 3_000 }], undefined);
    expect(orderOf(changedStep(recipe, { level: 'low' }))).toEqual({ operation: 'upscale', level: 'low' });
  });

  it('resets output options to their defaults', () => {
    const recipe = changedOutput(FIRST_RECIPE, { format: 'webp', quality: 80 });
    expect(changedOutput(recipe, { format: undefined, quality: undefined }).output).toEqual({});
  });

  it('can be restored from its job', () => {
    const operations = [
      { operation: 'upscale', level: 'high', model: null, timings: { inferenceMs: 3 } },
    ] as const;
    const output = { format: 'png', quality: null, background: '#ffffff' } as const;
    const recipe = recipeOf({ operations: [...operations], output });
    expect(orderOf(recipe)).toEqual({
      operation: 'upscale',
      level: 'high',
      output: { format: 'png', background: '#ffffff' },
    });
    const same = recipeFrom([{ level: 'high', operation: 'upscale' }], {
      background: '#ffffff',
      format: 'png',
    });
    expect(recipeText(same)).toBe(recipeText(recipe));
  });

  it('matches a job even where the service chose for it', () => {
    const operations = chain.steps.map(({ operation }) => {
      const timings = { inferenceMs: 3 };
      return { operation, level: 'medium' as const, model: null, timings };
    });
    const shadow = { opacity: 0.4, blur: 0.025, offsetX: 0.01, offsetY: 0.025 };
    const output = { format: 'png', quality: null, background: null } as const;
    expect(isMadeWith({ operations, output }, chain)).toBe(true);
    expect(isMadeWith({ operations, output: { ...output, quality: 80 } }, chain)).toBe(false);
    expect(isMadeWith({ operations, output }, changedOutput(chain, { format: 'webp' }))).toBe(false);
    expect(isMadeWith({ operations, output: { ...output, shadow } }, chain)).toBe(false);
    const shaded = changedOutput(chain, { crop: 'subject', shadow: true });
    const cropped = { ...output, crop: 'subject', padding: 0, shadow } as const;
    expect(isMadeWith({ operations, output: cropped }, shaded)).toBe(true);
  });
});
