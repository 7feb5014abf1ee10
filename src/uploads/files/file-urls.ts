import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeySource } from '../../config/secrets/key-sources.js';
import { type IdKind, isId } from '../../kernel/ids.js';
import { IMAGE_EXTENSIONS, IMAGE_FORMATS, type ImageFormat } from '../../kernel/operations.js';

export interface FileUrlSettings {
  readonly publicUrl: string;
  /** The first one signs; all of them are accepted. */
  readonly signingKeys: KeySource;
  readonly ttlSeconds: number;
}

/**
 * The URLs of sources and results: `<PUBLIC_URL>/files/<id>.<ext>?exp=<unix seconds>&sig=<hmac>`. Anyone who has one
 * may read the file until `exp`.
 */
export class FileUrls {
  constructor(private readonly settings: FileUrlSettings) {}

  get publicUrl(): string {
    return this.settings.publicUrl;
  }

  /** A freshly signed URL. */
  sign(id: string, format: ImageFormat, nowMs: number = Date.now()): string {
    return this.signName(`${id}.${IMAGE_EXTENSIONS[format]}`, nowMs);
  }

  /**
   * A URL that stays the same for a quarter of its lifetime, so that a browser that shows a list again has its pictures
   * cached. Valid for at least three quarters of the lifetime of others.
   */
  signSteadily(name: string): string {
    const stepMs = Math.max(1, Math.floor(this.settings.ttlSeconds / 4)) * 1000;
    return this.signName(name, Math.floor(Date.now() / stepMs) * stepMs);
  }

  private signName(name: string, nowMs: number): string {
    const exp = Math.floor(nowMs / 1000) + this.settings.ttlSeconds;
    const newest = this.settings.signingKeys()[0]!;
    return `${this.settings.publicUrl}/files/${name}?exp=${exp}&sig=${mac(newest, name, String(exp))}`;
  }

  /** Whether `sig` is valid for this file name and `exp` (whose time the caller checks). */
  isSigned(name: string, exp: string, sig: string): boolean {
    const given = Buffer.from(sig);
    return this.settings.signingKeys().some((key) => {
      const expected = Buffer.from(mac(key, name, exp));
      return expected.length === given.length && timingSafeEqual(expected, given);
    });
  }

  /**
   * The id of the source that a URL of this service names, or undefined for any other text. As a `sourceUrl`, a URL is
   * only an identifier: neither its signature nor its expiry matters; the caller's account decides.
   */
  sourceIdIn(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined;
    const parsed = new URL(url);
    const base = new URL(this.settings.publicUrl);
    const prefix = `${base.pathname.replace(/\/$/, '')}/files/`;
    if (parsed.origin !== base.origin || !parsed.pathname.startsWith(prefix)) return undefined;
    return splitFileName(parsed.pathname.slice(prefix.length), 'source')?.id;
  }

  /** A source's address that was accepted earlier, under the current public address. Other texts are unchanged. */
  current(url: string): string {
    if (!URL.canParse(url)) return url;
    const { pathname, search } = new URL(url);
    const [, name = ''] = /\/files\/([^/]+)$/.exec(pathname) ?? [];
    if (splitFileName(name, 'source') === undefined) return url;
    return `${this.settings.publicUrl}/files/${name}${search}`;
  }
}

function mac(key: string, name: string, exp: string): string {
  return createHmac('sha256', key).update(`${name}\n${exp}`).digest('hex');
}

/** Parses `<id>.<ext>`; undefined for another name. */
export function splitFileName(name: string, kind: IdKind): { id: string; format: ImageFormat } | undefined {
  const [id, extension, ...rest] = name.split('.');
  const format = IMAGE_FORMATS.find((candidate) => IMAGE_EXTENSIONS[candidate] === extension);
  if (id === undefined || format === undefined || rest.length > 0 || !isId(kind, id)) return undefined;
  return { id, format };
}
