import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Preset, useSavePreset } from '../../../api/presets/presets.js';
import { Dialog } from '../../../components/dialogs/dialog.js';
import { DialogButtons } from '../../../components/dialogs/dialog-buttons.js';
import { ErrorState } from '../../../components/notices/error-state.js';
import { stepsLabel } from '../../../lib/steps-text.js';
import { orderOf, type Recipe } from './recipe.js';

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;
const WRONG_NAME = t`Use 1 to 63 lowercase letters, digits and hyphens, such as shop-photos.`;

export interface SavePresetModalProps {
  readonly recipe: Recipe;
  readonly presets: readonly Preset[];
  readonly onClose: () => void;
}

/** Saves a recipe under a name, for the playground and for programs. */
export function SavePresetModal({ recipe, presets, onClose }: SavePresetModalProps) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const save = useSavePreset();
  const existing = presets.find((preset) => preset.name === name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In the React tree, the form of the playground encloses the dialog and would start a run.
    event.stopPropagation();
    if (!NAME.test(name)) return setFault(WRONG_NAME);
    if (existing?.isBuiltIn === true)
      return setFault(t`This name belongs to a built-in preset. Choose another.`);
    save.mutate({ name, ...savedOf(recipe) }, { onSuccess: onClose });
  };
  return (
    <Dialog title={t`Save as preset`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {save.error !== null && <ErrorState error={save.error} />}
          <Text size="sm">
            <Trans>
              Saves {stepsLabel(recipe.steps)} with its result options. In the API, use its name as{' '}
              <code>preset</code>.
            </Trans>
          </Text>
          <TextInput
            label={t`Name`}
            placeholder={t`shop-photos`}
            maxLength={63}
            data-autofocus
            value={name}
            error={fault}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFault(null);
            }}
          />
          {existing?.isBuiltIn === false && (
            <Text size="sm" c="dimmed" role="status">
              {t`Replaces the preset that has this name.`}
            </Text>
          )}
          <DialogButtons
            action={t`Save preset`}
            isBusy={save.isPending}
            isDisabled={name === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

/** A preset always contains a list of operations. */
function savedOf(recipe: Recipe): Pick<Preset, 'operations' | 'output'> {
  const { output } = orderOf(recipe);
  const operations = recipe.steps.map(({ id: _id, ...step }) => step);
  return { operations, ...(output !== undefined && { output }) };
}
