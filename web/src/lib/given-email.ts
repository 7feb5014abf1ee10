/** The address that another page passed along with a link to the sign-in. */
export function givenEmail(state: unknown): string | undefined {
  const { email } = (state ?? {}) as { readonly email?: unknown };
  return typeof email === 'string' ? email : undefined;
}
