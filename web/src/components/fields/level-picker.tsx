import { t } from '@lingui/core/macro';
import { Input, SegmentedControl } from '@mantine/core';
import { type Level, LEVELS } from '../../api/jobs/job.js';
import { operationText } from '../../lib/operation-texts.js';

export interface LevelPickerProps {
  readonly operation: string;
  readonly value: Level;
  readonly onChange: (level: Level) => void;
}

const LABELS: Readonly<Record<Level, string>> = { low: t`Low`, medium: t`Medium`, high: t`High` };

/** Selects the level. The line below explains its effect for this operation. */
export function LevelPicker({ operation, value, onChange }: LevelPickerProps) {
  return (
    <Input.Wrapper
      label={t`Level`}
      labelElement="div"
      description={operationText(operation).levels[value]}
      inputWrapperOrder={['label', 'input', 'description']}
    >
      <SegmentedControl
        fullWidth
        mt={4}
        mb={6}
        aria-label={t`Level`}
        value={value}
        onChange={onChange}
        data={LEVELS.map((level) => ({ value: level, label: LABELS[level] }))}
      />
    </Input.Wrapper>
  );
}
