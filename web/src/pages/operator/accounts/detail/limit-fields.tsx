import { TextInput } from '@mantine/core';
import classes from './account-detail.module.css';
import { LIMITS, type LimitTexts } from './plan-limits.js';

export interface LimitFieldsProps {
  readonly texts: LimitTexts;
  readonly placeholders?: LimitTexts | undefined;
  readonly onChange: (texts: LimitTexts) => void;
}

/** Limits that override those of a plan; empty where the plan's limit applies. */
export function LimitFields({ texts, placeholders, onChange }: LimitFieldsProps) {
  return (
    <div className={classes['limits']}>
      {LIMITS.map(({ name, label, isValid, fault }) => (
        <TextInput
          key={name}
          label={label}
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholders?.[name]}
          value={texts[name]}
          error={isValid(texts[name]) ? undefined : fault}
          onChange={(event) => onChange({ ...texts, [name]: event.currentTarget.value })}
        />
      ))}
    </div>
  );
}
