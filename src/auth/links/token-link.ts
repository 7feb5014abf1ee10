/** Pages that are opened by a link with a token. */
export type LinkPage =
  | '/reset-password'
  | '/verify-email'
  | '/change-email'
  | '/invitation'
  | '/operator/sign-in-as';

/** The token is in the fragment, which browsers do not send, so it is in no log of a server or proxy. */
export function tokenLink(publicUrl: string, page: LinkPage, token: string): string {
  return `${publicUrl}${page}#${token}`;
}
