import { Group } from '@mantine/core';
import { CopyButton } from './copy-button.js';
import classes from './copy-box.module.css';

export interface CopyBoxProps {
  readonly text: string;
  /** The button's words. */
  readonly label: string;
  readonly testId: string;
}

/** Text to copy, and the button that does it. */
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
