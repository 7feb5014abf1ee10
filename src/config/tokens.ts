/** Injection tokens of the configuration and of the key that signs file addresses. */
export const CONFIG = Symbol('Config');
export const SIGNING_KEY = Symbol('SigningKey');
