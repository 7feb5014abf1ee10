/** Findings of the contract's checkers that stay, each with its reason. */
export interface AcceptedFindings {
  /** By finding. Each must still occur. */
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
