import { signWebhook } from '../../kernel/webhooks/webhook-signature.js';
import {
  DEFAULT_TOLERANCE_SECONDS,
  type VerificationFault,
} from '../../kernel/webhooks/webhook-verification.js';

/** One delivery as received, and the result that a correct verifier returns. */
export interface WebhookVector {
  readonly name: string;
  readonly secret: string;
  readonly nowSeconds: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, encoded as UTF-8. */
  readonly body: string;
  readonly valid: boolean;
  /** Why the delivery is invalid; absent when it is valid. */
  readonly fault?: VerificationFault;
  /**
   * Whether the Standard Webhooks signature gives the same result; false where only our own header was tampered with.
   */
  readonly standardValid: boolean;
}

const NOW_SECONDS = 1_763_600_400;
// Generated for these vectors; they grant access to nothing.
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0+r1l3cH3p8=';
const NEW_SECRET = 'whsec_C2FVsBQIhrscChlQIMVb5sSYspob7oD2mWuCjYoK/8A=';
const FOREIGN_SECRET = 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FHAAAAAAAAAAA=';

const ID = 'evt_019aa1b2c3d47e5f8a6b7c8d9e0f1a2b';
const BODY = `{"id":"${ID}","type":"ping","createdAt":"2025-11-20T01:00:00.000Z","data":{}}`;
const UNICODE_BODY = `{"id":"${ID}","type":"ping","data":{"name":"Grüße aus 東京 🌸","escaped":"\\u00fc"}}`;

/** What a vector changes in a valid delivery. */
interface Change {
  readonly secrets?: readonly string[];
  readonly timestampSeconds?: number;
  readonly signedBody?: string;
  readonly body?: string;
  readonly secret?: string;
  readonly header?: (made: string) => string;
  readonly fault?: VerificationFault;
  readonly standardValid?: boolean;
}

function vector(name: string, change: Change = {}): WebhookVector {
  const body = change.body ?? change.signedBody ?? BODY;
  const headers = signWebhook({
    id: ID,
    timestampSeconds: change.timestampSeconds ?? NOW_SECONDS,
    body: change.signedBody ?? BODY,
    secrets: change.secrets ?? [SECRET],
  });
  const made = headers['x-service-signature'];
  return {
    name,
    secret: change.secret ?? SECRET,
    nowSeconds: NOW_SECONDS,
    headers: { ...headers, 'x-service-signature': change.header?.(made) ?? made },
    body,
    valid: change.fault === undefined,
    ...(change.fault === undefined ? {} : { fault: change.fault }),
    standardValid: change.standardValid ?? change.fault === undefined,
  };
}

const tampered = (name: string, header: (made: string) => string, fault: VerificationFault) =>
  vector(name, { header, fault, standardValid: true });

/** Test vectors that every client library must satisfy: shared as clients/vectors/webhooks.json. */
export function webhookVectors(): { readonly toleranceSeconds: number; readonly vectors: WebhookVector[] } {
  return {
    toleranceSeconds: DEFAULT_TOLERANCE_SECONDS,
    vectors: [...good(), ...altered(), ...timed(), ...malformed()],
  };
}

function good(): WebhookVector[] {
  return [
    vector('one signature'),
    vector('unicode body', { signedBody: UNICODE_BODY }),
    vector('empty body', { signedBody: '' }),
    vector('rotation: a receiver with the old secret', { secrets: [NEW_SECRET, SECRET] }),
    vector('rotation: a receiver with the new secret', { secrets: [NEW_SECRET, SECRET], secret: NEW_SECRET }),
    vector('spaces after commas', { header: (made) => made.replaceAll(',', ', ') }),
    vector('parts of other versions', { header: (made) => `v0=abc,${made},v2=def` }),
    vector('the time after the signature', { header: (made) => made.split(',').toReversed().join(',') }),
  ];
}

function altered(): WebhookVector[] {
  const mismatch = { fault: 'signature_mismatch' } as const;
  return [
    vector('wrong secret', { ...mismatch, secret: FOREIGN_SECRET }),
    vector('rotation: neither secret', { ...mismatch, secrets: [NEW_SECRET, FOREIGN_SECRET] }),
    vector('altered body', { ...mismatch, body: BODY.replace('ping', 'pong') }),
    vector('body with a line break more', { ...mismatch, body: `${BODY}\n` }),
    vector('body parsed and written again', {
      ...mismatch,
      signedBody: UNICODE_BODY,
      body: JSON.stringify(JSON.parse(UNICODE_BODY)),
    }),
    tampered(
      'altered time',
      (made) => made.replace(String(NOW_SECONDS), String(NOW_SECONDS + 1)),
      mismatch.fault,
    ),
    tampered('signature cut short', (made) => made.slice(0, -1), mismatch.fault),
    tampered(
      'signature in capitals',
      (made) => made.toUpperCase().replace('T=', 't=').replace('V1=', 'v1='),
      mismatch.fault,
    ),
    tampered('empty signature', () => `t=${NOW_SECONDS},v1=`, mismatch.fault),
  ];
}

function timed(): WebhookVector[] {
  return [
    vector('as old as allowed', { timestampSeconds: NOW_SECONDS - DEFAULT_TOLERANCE_SECONDS }),
    vector('stale', { timestampSeconds: NOW_SECONDS - 301, fault: 'stale_timestamp' }),
    vector('as far ahead as allowed', { timestampSeconds: NOW_SECONDS + DEFAULT_TOLERANCE_SECONDS }),
    vector('from the future', { timestampSeconds: NOW_SECONDS + 301, fault: 'future_timestamp' }),
  ];
}

function malformed(): WebhookVector[] {
  const broken = (name: string, header: (made: string) => string) =>
    tampered(name, header, 'malformed_header');
  return [
    broken('no time', (made) => made.split(',')[1]!),
    broken('no signature', (made) => made.split(',')[0]!),
    broken('two times', (made) => `t=1,${made}`),
    broken('a time that is no number', (made) => made.replace(/t=\d+/, 't=now')),
    broken('a time with a fraction', (made) => made.replace(/t=\d+/, (part) => `${part}.5`)),
    broken('other text', () => 'sha256=0123456789abcdef'),
    tampered('empty', () => '', 'missing_header'),
  ];
}
