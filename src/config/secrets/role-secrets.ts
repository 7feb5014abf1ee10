/**
 * Variables that hold secrets and that only some roles use. Every role uses `DATABASE_URL`,
 * `DATABASE_DIRECT_URL` and `REDIS_URL`.
 */
const USED_BY = {
  // Workers and dispatchers sign the URLs in the events that they write.
  URL_SIGNING_KEY: ['api', 'worker', 'dispatcher'],
  // Decrypts the signing secrets of webhook endpoints.
  SEALING_KEY: ['api', 'dispatcher'],
  // Only the dispatcher sends emails.
  SMTP_URL: ['dispatcher'],
  // Only the api signs users in.
  OIDC_CLIENT_SECRET: ['api'],
  METRICS_TOKEN: ['api', 'worker', 'dispatcher'],
  // May contain a user and password.
  TRITON_URL: ['worker'],
  // Only the api reads lists.
  DATABASE_READ_URL: ['api'],
} as const satisfies Readonly<Record<string, readonly RoleName[]>>;

type RoleName = 'api' | 'worker' | 'dispatcher';

/** Whether a role uses the secret in a variable. */
export function usesSecret(role: RoleName, variable: keyof typeof USED_BY): boolean {
  return (USED_BY[variable] as readonly RoleName[]).includes(role);
}

/** Overrides for the environment of a role's process: `undefined` for each secret that the role does not use. */
export function withheldSecrets(role: RoleName): Readonly<Record<string, undefined>> {
  const names = Object.keys(USED_BY) as (keyof typeof USED_BY)[];
  return Object.fromEntries(names.filter((name) => !usesSecret(role, name)).map((name) => [name, undefined]));
}
