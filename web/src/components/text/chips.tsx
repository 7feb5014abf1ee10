import classes from './chips.module.css';

export interface ChipsProps {
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly items: readonly string[];
}

/** Short words in small frames, such as the scopes of a key. */
export function Chips({ label, items }: ChipsProps) {
  return (
    <ul className={classes['list']} aria-label={label}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
