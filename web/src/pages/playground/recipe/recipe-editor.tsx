import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Operations } from '../../../api/models/operations.js';
import { LevelPicker } from '../../../components/fields/level-picker.js';
import { OperationPicker } from './operation-picker.js';
import { OutputOptions } from './output-options.js';
import { PresetField } from './preset-field.js';
import { DEFAULT_LEVEL, MAX_STEPS, selectedStep } from './recipe.js';
import { StepList } from './step-list.js';
import type { RecipeEditing } from './use-recipe.js';

export interface RecipeEditorProps {
  readonly operations: Operations;
  readonly editing: RecipeEditing;
}

/** Edits a recipe: one or several operations, and the output options. */
export function RecipeEditor({ operations, editing }: RecipeEditorProps) {
  const { recipe } = editing;
  const { operation, level = DEFAULT_LEVEL, strength } = selectedStep(recipe);
  const count = recipe.steps.length;
  const at = recipe.steps.findIndex(({ id }) => id === recipe.selectedId);
  const isChain = count > 1;
  const root = useRef<HTMLDivElement>(null);
  const focus = (selector: string) => root.current?.querySelector<HTMLElement>(selector)?.focus();
  const add = () => {
    flushSync(() => editing.add(nextOf(editing, operations)));
    // The pressed button is elsewhere once there is a chain, and disabled once the chain is full.
    if (!isChain || count === MAX_STEPS - 1) focus('[aria-current="step"]');
  };
  const remove = (id: number) => {
    flushSync(() => editing.remove(id));
    // The list has disappeared.
    if (count === 2) focus('[data-add-step]');
  };
  return (
    <Stack ref={root} gap="lg">
      <PresetField editing={editing} />
      {isChain && (
        <Stack gap="xs">
          <StepList recipe={recipe} onSelect={editing.select} onMove={editing.move} onRemove={remove} />
          <AddStep isFull={count >= MAX_STEPS} onAdd={add} />
        </Stack>
      )}
      <OperationPicker
        label={isChain ? t`Operation of step ${at + 1}` : t`Operation`}
        operations={operations.names}
        value={operation}
        onChange={(next) => editing.change({ operation: next })}
      />
      <LevelPicker
        operation={operation}
        value={level}
        strength={strength}
        onChange={(next) => editing.change({ level: next })}
      />
      {!isChain && <AddStep isFull={false} onAdd={add} />}
      <OutputOptions
        output={recipe.output}
        hasAlpha={recipe.steps.some((step) => operations.producesAlpha(step.operation))}
        onChange={editing.changeOutput}
      />
    </Stack>
  );
}

function AddStep({ isFull, onAdd }: { readonly isFull: boolean; readonly onAdd: () => void }) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={14} />}
      disabled={isFull}
      data-add-step
      onClick={onAdd}
    >
      {isFull ? t`At most ${MAX_STEPS} steps` : t`Add a step`}
    </Button>
  );
}

/** The first operation that is not in the chain yet. */
function nextOf({ recipe }: RecipeEditing, { names }: Operations): string {
  const used = new Set(recipe.steps.map(({ operation }) => operation));
  return names.find((name) => !used.has(name)) ?? names[0] ?? 'auto_enhance';
}
