/** What the mail client tells a handler of a sign-in. */
interface SignIn {
  /** Methods that the server offers and the client knows. */
  readonly authMethods: readonly string[];
  readonly auth: {
    readonly credentials?: { readonly user?: string | undefined; readonly pass?: string | undefined };
  };
  readonly sendCommand: (command: string) => Promise<{ readonly status: number; readonly response: string }>;
}

const ACCEPTED = 235;

/**
 * Signs in with PLAIN (RFC 4616). The client takes this method also when the server offers none, and would then send the
 * password to a server that may not expect it, over a connection that may not be encrypted.
 * @throws Error if the server offers no sign-in, or refuses this one
 */
export async function plainSignIn({ authMethods, auth, sendCommand }: SignIn): Promise<void> {
  if (!authMethods.includes('PLAIN')) throw new Error('The mail server offers no sign-in at this port');
  const { user = '', pass = '' } = auth.credentials ?? {};
  const secret = Buffer.from(`\0${user}\0${pass}`).toString('base64');
  const { status, response } = await sendCommand(`AUTH PLAIN ${secret}`);
  if (status !== ACCEPTED) throw new Error(`Invalid login: ${response}`);
}
