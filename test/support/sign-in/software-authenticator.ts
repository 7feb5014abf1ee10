import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** User present, user verified, and, with a new credential, attested data (Web Authentication, section 6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

export interface Ceremony {
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
  readonly isUserVerified?: boolean;
}

/** An authenticator with its browser: creates passkeys and signs with them, as Web Authentication specifies. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(16);
  /** The transports that the browser reports for a new passkey. */
  transports: unknown = ['internal'];
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** @param counter sent with the next response; authenticators without one send 0 */
  constructor(public counter = 0) {}

  /** `PublicKeyCredential.toJSON` of a new passkey. */
  create(ceremony: Ceremony): Record<string, unknown> {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.id, coseKey(this.keys.publicKey)]);
    const authData = Buffer.concat([this.authenticatorData(ceremony, ATTESTED), attested]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return this.credential({
      clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: this.transports,
    });
  }

  /** `PublicKeyCredential.toJSON` of a sign-in. */
  get(ceremony: Ceremony): Record<string, unknown> {
    const client = clientData('webauthn.get', ceremony);
    const authData = this.authenticatorData(ceremony, 0);
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), this.keys.privateKey);
    return this.credential({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private credential(response: Record<string, unknown>): Record<string, unknown> {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private authenticatorData({ rpId, isUserVerified = true }: Ceremony, flags: number): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(PRESENT | (isUserVerified ? VERIFIED : 0) | flags, 0);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(Buffer.from(rpId)), rest]);
  }
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** An ES256 key (RFC 9053, section 2.1): kty 2, alg -7, crv 1, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x!, 'base64url'))],
    [cborInteger(-3), cborBytes(Buffer.from(y!, 'base64url'))],
  ]);
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** The head of a CBOR item (RFC 8949): major type and a length below 65,536. */
function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length);
  if (length < 256) return Buffer.of((major << 5) | 24, length);
  return Buffer.of((major << 5) | 25, length >> 8, length & 255);
}

const cborInteger = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
