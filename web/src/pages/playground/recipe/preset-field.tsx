import { t } from '@lingui/core/macro';
import { Button, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { type Preset, useDeletePreset, usePresets } from '../../../api/presets/presets.js';
import { isGone } from '../../../api/problem.js';
import { ConfirmModal } from '../../../components/dialogs/confirm-modal.js';
import { presetLabel } from '../../../lib/format.js';
import { recipeFrom, recipeText } from './recipe.js';
import { SavePresetModal } from './save-preset-modal.js';
import { useLostPreset } from './use-lost-preset.js';
import type { RecipeEditing } from './use-recipe.js';

export interface PresetFieldProps {
  readonly editing: RecipeEditing;
}

/** Saved recipes: the built-in ones, and those of the account. */
export function PresetField({ editing }: PresetFieldProps) {
  const [open, setOpen] = useState<'save' | 'delete' | null>(null);
  const { data } = usePresets();
  const presets = data?.presets ?? [];
  const remove = useDeletePreset();
  const text = recipeText(editing.recipe);
  const current = presets.find((preset) => textOf(preset) === text);
  const lost = useLostPreset(data?.presets, current, text);
  const close = () => setOpen(null);
  const choose = (name: string) => {
    const preset = presets.find((one) => one.name === name);
    if (preset === undefined) editing.reset();
    else editing.replace(preset.operations, preset.output);
  };
  const itemsOf = (isBuiltIn: boolean) =>
    presets
      .filter((preset) => preset.isBuiltIn === isBuiltIn)
      .map(({ name }) => ({ value: name, label: isBuiltIn ? presetLabel(name) : name }));
  const groups = [
    { group: t`Yours`, items: itemsOf(false) },
    { group: t`Built in`, items: itemsOf(true) },
  ];
  return (
    <div>
      <NativeSelect
        label={t`Preset`}
        value={current?.name ?? ''}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[{ value: '', label: t`None` }, ...groups.filter(({ items }) => items.length > 0)]}
      />
      <div role="status">
        {lost.name !== null && (
          <Text size="sm" c="dimmed" mt={6}>
            {t`The preset ${lost.name} was deleted elsewhere. Its settings are still chosen here.`}
          </Text>
        )}
      </div>
      {current === undefined && (
        <Button variant="subtle" size="compact-sm" mt={6} onClick={() => setOpen('save')}>
          {t`Save as preset`}
        </Button>
      )}
      {current?.isBuiltIn === false && (
        <Button
          variant="subtle"
          size="compact-sm"
          mt={6}
          c="var(--mantine-color-error)"
          onClick={() => setOpen('delete')}
        >
          {t`Delete preset`}
        </Button>
      )}
      {open === 'save' && <SavePresetModal recipe={editing.recipe} presets={presets} onClose={close} />}
      {open === 'delete' && current !== undefined && (
        <ConfirmModal
          title={t`Delete the preset ${current.name}?`}
          text={t`Requests that use it will be refused. Existing jobs are not affected.`}
          action={t`Delete preset`}
          isBusy={remove.isPending}
          error={remove.error}
          onConfirm={() => {
            remove.mutate(current.name, {
              onSuccess: () => {
                lost.forget();
                close();
              },
              // Deleted elsewhere in the meantime. The text under the field says so.
              onError: (error) => isGone(error) && close(),
            });
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

function textOf({ operations, output }: Preset): string {
  return recipeText(recipeFrom(operations, output));
}
