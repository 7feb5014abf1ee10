import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

/** The site that uses passkeys. */
export interface RelyingParty {
  /** The host name to which passkeys are bound (RP ID). */
  readonly id: string;
  /** Origin of the page. */
  readonly origin: string;
}

/** The stored data of a passkey. */
export interface StoredCredential {
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly Transport[];
}

export interface PasskeyUser {
  readonly id: string;
  readonly name: string;
}

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;

/** Loaded on first use, because most processes never need it. */
const library = () => import('@simplewebauthn/server');

/** How a browser may reach an authenticator (Web Authentication, 5.8.4; `cable` is the former name of `hybrid`). */
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof TRANSPORTS)[number];

/** Drops unknown transports. The page reports them unsigned, and they only help the browser to find the passkey. */
function knownTransports(reported: unknown): Transport[] {
  return Array.isArray(reported) ? TRANSPORTS.filter((transport) => reported.includes(transport)) : [];
}

/** Options for a discoverable passkey, which the authenticator uses only after it has verified the user. */
export async function creationOptions(
  { id }: RelyingParty,
  user: PasskeyUser,
  existing: readonly { readonly credentialId: string; readonly transports: readonly string[] }[],
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Image Enhancement',
    rpID: id,
    userID: new TextEncoder().encode(user.id),
    userName: user.name,
    attestationType: 'none',
    excludeCredentials: existing.map((one) => ({ id: one.credentialId, transports: [...one.transports] })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Options for a sign-in with any passkey of this host. */
export async function requestOptions({ id }: RelyingParty): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({ rpID: id, userVerification: 'required' });
}

/** @returns the new passkey; undefined for a response that is malformed or does not answer the challenge */
export async function verifyCreation(
  party: RelyingParty,
  challenge: string,
  response: object,
): Promise<StoredCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  return orUndefined(async () => {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (registrationInfo === undefined) return undefined;
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    return { credentialId: id, publicKey, counter, transports: knownTransports(transports) };
  });
}

/**
 * @returns the new counter; undefined for a response that is malformed, does not answer the challenge, is not signed by
 * the passkey, or has a counter that is not higher than the stored one
 */
export async function verifyRequest(
  party: RelyingParty,
  challenge: string,
  response: object,
  { credentialId, publicKey, counter, transports }: StoredCredential,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library();
  return orUndefined(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: credentialId,
        publicKey: new Uint8Array(publicKey),
        counter,
        transports: [...transports],
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  });
}

/** Returns undefined when the library throws, which it does for every kind of invalid client input. */
async function orUndefined<T>(verify: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
