import { spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerIdentity } from '../../../src/infra/database/embedded/server-identity.js';

/** Whether this machine can make certificates. */
export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A certificate authority of our own, and a certificate that it signed. */
export class TlsFiles {
  private constructor(private readonly dir: string) {}

  /**
   * @param name the only name in the certificate
   * @param owner who must be able to read the private key; default: this process
   */
  static async make(name: string, owner?: ServerIdentity): Promise<TlsFiles> {
    const dir = await mkdtemp(join(tmpdir(), 'ies-tls-'));
    const files = new TlsFiles(dir);
    const { authority, certificate, key } = files;
    const authorityKey = join(dir, 'ca.key');
    const request = join(dir, 'server.csr');
    const names = join(dir, 'names');
    await writeFile(names, `subjectAltName=DNS:${name}\n`);
    const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl(
      'req',
      '-x509',
      ...fresh,
      '-keyout',
      authorityKey,
      '-out',
      authority,
      '-days',
      '2',
      '-subj',
      '/CN=test CA',
    );
    openssl('req', ...fresh, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
    const signer = ['-CA', authority, '-CAkey', authorityKey, '-CAcreateserial', '-extfile', names];
    openssl('x509', '-req', '-in', request, '-out', certificate, '-days', '2', ...signer);
    await chmod(dir, 0o755);
    await chmod(key, 0o600);
    if (owner !== undefined) await chown(key, owner.uid, owner.gid);
    return files;
  }

  /** The certificate of the authority. */
  get authority(): string {
    return join(this.dir, 'ca.pem');
  }

  get certificate(): string {
    return join(this.dir, 'server.pem');
  }

  get key(): string {
    return join(this.dir, 'server.key');
  }

  remove(): Promise<void> {
    return rm(this.dir, { recursive: true, force: true });
  }
}

function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr}`);
}
