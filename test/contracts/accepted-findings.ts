/** Findings of the contract's checkers that stay, each with its reason. */
export interface AcceptedFindings {
  /** By finding. */
  readonly [finding: string]: string;
}

/** `rule pointer` of Redocly. */
export const ACCEPTED_BY_REDOCLY: AcceptedFindings = {
  'operation-4xx-response #/paths/~1health~1live/get/responses': 'It takes no input that could be wrong.',
  'operation-4xx-response #/paths/~1health~1ready/get/responses': 'It takes no input that could be wrong.',
  'operation-4xx-response #/paths/~1health~1models/get/responses': 'It takes no input that could be wrong.',
};

/** Rules of Spectral. */
export const ACCEPTED_BY_SPECTRAL: AcceptedFindings = {
  'contact-properties':
    'Each installation has an operator of its own. The document of all of them names none.',
  'openapi-tags-alphabetical': 'The tags are in the order in which one reads about them.',
  'oas3-operation-security-defined':
    'It looks for scopes in OAuth flows only. OpenAPI 3.1 allows names of roles for API keys, too (4.8.30).',
};

const CURSOR = 'Only a `nextCursor` of the service is a valid cursor, and no schema can say which those are.';
const BETWEEN_FIELDS =
  'Rules between fields, headers and the options of an operation are in the descriptions, and not in the schema.';
const UNICODE_HOST = 'A host name in Unicode is accepted, stored and answered in Punycode, as browsers do.';
const OPERATORS_ONLY =
  'The event types of billing are for accounts of operators: the account decides, not the schema.';
const REUSED_KEY = 'An `Idempotency-Key` that was used for another request is refused, with 422.';

/** `code METHOD /path` of Schemathesis, or `code METHOD *`. They need not all occur: it follows what it is answered. */
export const ACCEPTED_BY_SCHEMATHESIS: AcceptedFindings = {
  'ST202 GET /api/ai/batches': CURSOR,
  'ST202 GET /api/ai/batches/{id}/jobs': CURSOR,
  'ST202 GET /api/ai/enhance': CURSOR,
  'ST202 GET /api/ai/sources': CURSOR,
  'ST202 POST /api/ai/batches': BETWEEN_FIELDS,
  'ST202 POST /api/ai/enhance': BETWEEN_FIELDS,
  'ST202 PUT /api/ai/presets/{name}': BETWEEN_FIELDS,
  'ST202 GET /api/webhooks/deliveries': CURSOR,
  'ST202 GET /api/webhooks/endpoints': CURSOR,
  'ST202 POST /api/ai/batches/{id}/retry': REUSED_KEY,
  'ST202 POST /api/webhooks/callback-secret': REUSED_KEY,
  'ST202 POST /api/webhooks/endpoints': REUSED_KEY,
  'ST202 POST /api/webhooks/endpoints/{id}/ping': REUSED_KEY,
  'ST202 POST /api/webhooks/endpoints/{id}/rotate-secret': REUSED_KEY,
  'ST201 PATCH /api/webhooks/endpoints/{id}': UNICODE_HOST,
  'ST201 POST /api/webhooks/endpoints': UNICODE_HOST,
  'ST202 PATCH /api/webhooks/endpoints/{id}': OPERATORS_ONLY,
  'ST202 POST /api/ai/upload':
    'The URL of the example does not exist, and a digest must be that of the body.',
  'ST202 Stateful tests': 'The bytes of a generated upload are no image.',
};
