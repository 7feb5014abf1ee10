import { Group } from '@mantine/core';
import { CopyButton } from './copy-button.js';
import classes from './copy-box.module.css';

export interface CopyBoxProps {
  readonly text: string;
  /** The label of the button. */
  readonly label: string;
  readonly testId: string;
}

/** Text with a copy button. */
export function CopyBox({ text, label, testId }: CopyBoxProps) {
  return (
    <Group gap="sm" wrap="nowrap" className={classes['root']}>
      <code className={classes['text']} data-testid={testId}>
        {text}
      </code>
      <CopyButton text={text} label={label} variant="filled" />
    </Group>
  );
}
