/** Invalid arguments. The message says what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The value of a flag that has a list of values. @throws UsageError */
export function oneOf<const T extends string>(
  name: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new UsageError(`${name} must be ${allowed.join(', ')}, not "${value}".`);
  return found;
}

/** The value of a flag that takes a whole number. @throws UsageError */
export function whole(name: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  return value;
}

/** The value of a flag that takes a number such as 0.25. @throws UsageError */
export function decimal(
  name: string,
  text: string | undefined,
  min: number,
  max: number,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || value < min || value > max)
    throw new UsageError(`${name} must be a number from ${min} to ${max}, not "${text}".`);
  return value;
}
