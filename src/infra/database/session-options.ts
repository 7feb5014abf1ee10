/**
 * Startup options of a connection without a pooler. A server, database or role may have other defaults: the driver reads
 * dates of the style ISO only, and statements expect to wait for concurrent updates instead of failing.
 */
export const SESSION_OPTIONS = String.raw`-c DateStyle=ISO -c default_transaction_isolation=read\ committed`;
