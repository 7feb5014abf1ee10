import { useId } from 'react';
import classes from './range-field.module.css';

export interface RangeFieldProps {
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  /** The value, formatted for display. */
  readonly text: string;
  readonly onChange: (value: number) => void;
}

/** Selects a number with a slider. The native slider supports every input device. */
export function RangeField({ label, min, max, value, text, onChange }: RangeFieldProps) {
  const id = useId();
  return (
    <div className={classes['root']}>
      <label htmlFor={id}>{label}</label>
      <output htmlFor={id}>{text}</output>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
