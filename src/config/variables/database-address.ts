import { accessSync, constants } from 'node:fs';
import { type Descriptor, url } from './descriptor.js';

/** The values of libpq that this client can implement like libpq. `allow` and `prefer` would need a second attempt. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'] as const;

/** Makes the driver treat `sslmode` as libpq does; otherwise `require` would verify the certificate's name. */
const AS_LIBPQ = 'uselibpqcompat';

/**
 * A PostgreSQL URL with the TLS parameters of libpq: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`. The parsed value is
 * the URL in the form that the driver needs.
 */
export function databaseAddress(
  name: string,
  options: { readonly text: string; readonly defaultText?: string },
): Descriptor<string | undefined> {
  const address = url(name, { ...options, protocols: ['postgres:', 'postgresql:'] });
  return {
    ...address,
    isSecret: true,
    format: `${address.format}, with \`sslmode\` and \`sslrootcert\` as in libpq (docs/postgresql.md)`,
    read: (raw) => {
      const given = address.read(raw);
      return given === undefined ? undefined : withTls(given);
    },
  };
}

/** @throws Error whose message completes "NAME …" */
function withTls(address: string): string {
  const parsed = new URL(address);
  const { searchParams } = parsed;
  for (const file of ['sslrootcert', 'sslcert', 'sslkey']) refuseUnreadable(file, searchParams.get(file));
  if (searchParams.get('sslrootcert') === 'system') usePublicAuthorities(searchParams);
  const mode = searchParams.get('sslmode');
  if (mode === null) return address;
  if (!(SSL_MODES as readonly string[]).includes(mode))
    throw new Error(`has sslmode=${mode}; supported are ${SSL_MODES.join(', ')}`);
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert'))
    throw new Error('has sslmode=verify-ca without sslrootcert, the file of the certificate authority');
  searchParams.set(AS_LIBPQ, 'true');
  return parsed.href;
}

/**
 * `sslrootcert=system`, which as in libpq implies `verify-full`, because anyone can get a certificate of a public
 * authority. The driver uses these authorities when no file is named.
 */
function usePublicAuthorities(searchParams: URLSearchParams): void {
  const mode = searchParams.get('sslmode');
  if (mode !== null && mode !== 'verify-full')
    throw new Error(`has sslrootcert=system with sslmode=${mode}; use sslmode=verify-full`);
  searchParams.delete('sslrootcert');
  searchParams.set('sslmode', 'verify-full');
}

function refuseUnreadable(parameter: string, file: string | null): void {
  if (file === null || (parameter === 'sslrootcert' && file === 'system')) return;
  try {
    accessSync(file, constants.R_OK);
  } catch {
    throw new Error(`names a file in ${parameter} that cannot be read: ${file}`);
  }
}
