/**
 * The environment a process started by this one gets: everything this one has, plus `overrides`
 * (`undefined` removes a variable). Here because this folder is the only reader of the environment.
 */
export function childEnvironment(
  overrides: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const merged: Record<string, string | undefined> = { ...process.env, ...overrides };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
