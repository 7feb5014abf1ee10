import { OperationIcon } from '../../../components/status/operation-icon.js';
import { operationLabel } from '../../../lib/format.js';
import { operationText } from '../../../lib/operation-texts.js';
import classes from './operation-picker.module.css';

export interface OperationPickerProps {
  readonly label: string;
  readonly operations: readonly string[];
  readonly value: string;
  readonly onChange: (operation: string) => void;
}

/** Radio buttons with descriptions. The arrow keys move between them. */
export function OperationPicker({ label, operations, value, onChange }: OperationPickerProps) {
  return (
    <fieldset className={classes['root']}>
      <legend className={classes['legend']}>{label}</legend>
      {operations.map((operation) => (
        <label key={operation} className={classes['option']}>
          <input
            type="radio"
            name="operation"
            value={operation}
            checked={operation === value}
            onChange={() => onChange(operation)}
          />
          <span className={classes['icon']}>
            <OperationIcon operation={operation} />
          </span>
          <span className={classes['words']}>
            <span className={classes['name']}>{operationLabel(operation)}</span>
            <span className={classes['text']}>{operationText(operation).text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
