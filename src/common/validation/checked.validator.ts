import { registerDecorator } from 'class-validator';

/** An error in a value: the affected member (empty for the value itself), and a clause that completes its name. */
export interface Fault {
  readonly member: string;
  /** For example `must be cover or contain`. */
  readonly problem: string;
}

/** The checks of `IsChecked` by the code of their field errors. */
const CHECKS = new Map<string, (value: unknown) => Fault | undefined>();

/**
 * Accepts values in which `faultOf` finds no error. For values of several types, which the other validators cannot
 * express.
 * @param code of the field error; each check has its own
 */
export function IsChecked(code: string, faultOf: (value: unknown) => Fault | undefined): PropertyDecorator {
  CHECKS.set(code, faultOf);
  return (target, property) => {
    registerDecorator({
      name: code,
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => faultOf(value) === undefined,
        defaultMessage: (given) => {
          const fault = faultOf(given?.value);
          const name = [given?.property, fault?.member].filter(Boolean).join('.');
          return `${name} ${fault?.problem}`;
        },
      },
    });
  };
}

/** The member that the check with this code refuses; undefined if it refuses the value itself, or there is no such check. */
export function refusedMember(code: string, value: unknown): string | undefined {
  return CHECKS.get(code)?.(value)?.member || undefined;
}

/** Refuses lists with anything but objects, and names the first such element. `IsArray` refuses what is no list. */
export const IsListOfObjects = (): PropertyDecorator =>
  IsChecked('objects', (value) => {
    const index = Array.isArray(value) ? value.findIndex((element) => !isPlainObject(element)) : -1;
    return index === -1 ? undefined : { member: String(index), problem: 'must be an object' };
  });

/** The first member of an object that is not in the list. */
export function unknownMember(value: object, known: readonly string[]): Fault | undefined {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  return unknown === undefined
    ? undefined
    : { member: unknown, problem: `is not a known field; use ${known.join(', ')}` };
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
