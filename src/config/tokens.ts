/** Injection tokens of the configuration and of the keys (a `KeySource`) that sign file URLs. */
export const CONFIG = Symbol('Config');
export const SIGNING_KEYS = Symbol('SigningKeys');
