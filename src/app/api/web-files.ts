import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { PERMISSIONS_POLICY } from './security-headers.js';

/** The dashboard's build folder, relative to the compiled file. */
const BUILT_DIR = fileURLToPath(new URL('../../web', import.meta.url));
const PAGE = 'index.html';

/** No inline scripts and no third-party sources. Inline styles are allowed, because components set them in scripts. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Content-Security-Policy': CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS_POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
} as const;

const NOT_BUILT = `The dashboard has not been built. Run "npm run setup", then load this page again.
The API itself works; its documentation is at /docs.
`;

/** Allowed names of built files. */
const FILE_NAME = /^\w[\w.-]*$/;

/** The files of the built dashboard, compressed where the browser supports it. */
@Injectable()
export class WebFiles {
  private readonly dir: string;

  constructor(@Inject(CONFIG) config: Config) {
    this.dir = config.webDir ?? BUILT_DIR;
  }

  /** The HTML document of every page, or instructions when there is no build. */
  async sendPage(reply: FastifyReply): Promise<void> {
    reply.headers(PAGE_HEADERS);
    if (await exists(join(this.dir, PAGE))) void reply.sendFile(PAGE, this.dir, { cacheControl: false });
    else void reply.status(503).type('text/plain; charset=utf-8').header('Retry-After', '60').send(NOT_BUILT);
  }

  /** A file whose name contains a hash of its content: cached forever. @throws AppError `not_found` */
  async sendAsset(reply: FastifyReply, name: string): Promise<void> {
    await this.send(reply, name, 'assets', 'public, max-age=31536000, immutable');
  }

  /** A file with a fixed name: revalidated each time, 304 while unchanged. @throws AppError `not_found` */
  async sendFile(reply: FastifyReply, name: string): Promise<void> {
    await this.send(reply, name, '.', 'no-cache');
  }

  private async send(reply: FastifyReply, name: string, folder: string, cacheControl: string): Promise<void> {
    // Checked before the headers are set, because a 404 must not be cached forever.
    const dir = join(this.dir, folder);
    const isThere = FILE_NAME.test(name) && (await exists(join(dir, name)));
    if (!isThere) throw new AppError('not_found');
    reply.headers({ 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' });
    void reply.sendFile(name, dir, { cacheControl: false });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
