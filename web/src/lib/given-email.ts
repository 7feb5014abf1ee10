/** The email address that another page passed to the sign-in page. */
export function givenEmail(state: unknown): string | undefined {
  const { email } = (state ?? {}) as { readonly email?: unknown };
  return typeof email === 'string' ? email : undefined;
}
