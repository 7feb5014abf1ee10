/** What a sealed secret of an authenticator app is bound to, so that it does not open in the row of another account. */
export function twoFactorContext(accountId: string): string {
  return `two-factor ${accountId}`;
}
