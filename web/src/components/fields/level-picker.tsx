import { t } from '@lingui/core/macro';
import { Input, SegmentedControl } from '@mantine/core';
import { type Level, LEVELS } from '../../api/jobs/job.js';
import { formatNumber } from '../../lib/format.js';
import { operationText } from '../../lib/operation-texts.js';

export interface LevelPickerProps {
  readonly operation: string;
  readonly value: Level;
  /** Applies instead of the level, until a level is chosen. */
  readonly strength?: number | undefined;
  readonly onChange: (level: Level) => void;
}

const LABELS: Readonly<Record<Level, string>> = { low: t`Low`, medium: t`Medium`, high: t`High` };

/** Selects the level. The line below explains its effect for this operation. */
export function LevelPicker({ operation, value, strength, onChange }: LevelPickerProps) {
  return (
    <Input.Wrapper
      label={t`Level`}
      labelElement="div"
      description={
        strength === undefined
          ? operationText(operation).levels[value]
          : t`Strength ${formatNumber(strength)}. A level replaces it.`
      }
      inputWrapperOrder={['label', 'input', 'description']}
    >
      <SegmentedControl
        fullWidth
        mt={4}
        mb={6}
        aria-label={t`Level`}
        value={strength === undefined ? value : ''}
        onChange={(level) => level !== '' && onChange(level)}
        data={LEVELS.map((level) => ({ value: level, label: LABELS[level] }))}
      />
    </Input.Wrapper>
  );
}
