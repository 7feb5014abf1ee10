import { t } from '@lingui/core/macro';
import { Button, NativeSelect, Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import type { Level } from '../../../../api/jobs/job.js';
import type { ConsoleOperation } from '../../../../api/operator/schema.js';
import { LevelPicker } from '../../../../components/fields/level-picker.js';
import { ErrorState } from '../../../../components/notices/error-state.js';
import { Card } from '../../../../components/pages/card.js';
import { comparableVersions, type VersionPair } from './comparable-versions.js';
import classes from './compare-versions.module.css';
import { PhotoField } from './photo-field.js';
import { useNewComparison } from './use-new-comparison.js';
import { useOnePhoto } from './use-one-photo.js';

export interface NewComparisonProps {
  readonly operation: ConsoleOperation;
  readonly suggested: VersionPair;
  readonly onCreated: (id: string) => void;
}

/** Asks for the versions and the photo to compare. */
export function NewComparison({ operation: one, suggested, onCreated }: NewComparisonProps) {
  const { operation } = one;
  const [chosen, setChosen] = useState<Partial<VersionPair>>({});
  const [level, setLevel] = useState<Level>('medium');
  const intake = useOnePhoto();
  const { photo } = intake;
  const { run, share } = useNewComparison(operation, intake, onCreated);
  const versions = comparableVersions(one);
  // Ignores a selected version that no longer exists.
  const a = versions.find((version) => version === chosen.a) ?? suggested.a;
  const b = versions.find((version) => version === chosen.b) ?? suggested.b;
  const isSame = a === b;
  const isReady = photo?.isReadable === true && !isSame && !run.isPending;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReady) run.mutate({ photo, a, b, level });
  };
  const current = one.chosen ?? one.offered;
  const options = versions.map((version) => ({
    value: String(version),
    label: version === current ? t`Version ${version} (serving)` : t`Version ${version}`,
  }));
  return (
    <Card id="new-comparison" title={t`New comparison`}>
      <form className={classes['form']} aria-labelledby="new-comparison" onSubmit={submit}>
        <PhotoField intake={intake} isBusy={run.isPending} />
        <Stack gap="md">
          <NativeSelect
            label={t`Version A`}
            value={a}
            onChange={({ currentTarget }) => setChosen({ a: Number(currentTarget.value), b })}
            data={options}
          />
          <NativeSelect
            label={t`Version B`}
            value={b}
            onChange={({ currentTarget }) => setChosen({ a, b: Number(currentTarget.value) })}
            data={options}
            error={isSame && t`Choose another version than A.`}
          />
          <LevelPicker operation={operation} value={level} onChange={setLevel} />
          {run.isError && <ErrorState error={run.error} />}
          <div>
            <Button type="submit" fullWidth loading={run.isPending} disabled={!isReady && !run.isPending}>
              {photo === null ? t`Choose a photo first` : t`Compare`}
            </Button>
            <Text size="sm" c="dimmed" mt={8} mih={22} aria-live="polite">
              {run.isPending && share < 1 && t`Uploading: ${Math.round(share * 100)}%`}
            </Text>
          </div>
        </Stack>
      </form>
      <Text size="xs" c="dimmed" className={classes['note'] ?? ''}>
        {t`The photo is shrunk so that results are at most 2,048 pixels on the longer side; versions that enlarge get its center at full size. Results are deleted after a day; your upload stays under Photos. Customers' photos are never used.`}
      </Text>
    </Card>
  );
}
