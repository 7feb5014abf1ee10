/** Maximum lines that a process keeps. */
const MAX_LINES = 500;
const MAX_LINE_CHARS = 2_000;

/** Redacting shorter values would blank out ordinary text and protect nothing. */
const MIN_SECRET_CHARS = 6;

/** API keys, webhook secrets, tokens of share links, signatures of URLs, and passwords in URLs. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\bies_[\w-]{8,}/g, 'ies_…'],
  [/\bwhsec_[\w+/=-]+/g, 'whsec_…'],
  [/(\/share\/)[\w%-]{43,}/g, '$1…'],
  [/([?&]sig=)[\w%.-]+/g, '$1…'],
  [/([?&]X-Amz-(?:Signature|Credential|Security-Token)=)[^&"\s\\]+/g, '$1…'],
  [/(:\/\/)[^/\s@"]+@/g, '$1…@'],
];

/** The last log lines of this process, in memory. Secrets are removed when a line is added. */
export class LogTail {
  private readonly kept: string[] = [];
  private readonly secrets: readonly string[];

  /** @param secrets values that must never be shown */
  constructor(secrets: readonly string[] = []) {
    this.secrets = secrets.filter((secret) => secret.length >= MIN_SECRET_CHARS);
  }

  add(line: string): void {
    this.kept.push(this.redacted(line.trimEnd()).slice(0, MAX_LINE_CHARS));
    if (this.kept.length > MAX_LINES) this.kept.shift();
  }

  /** The lines, oldest first. */
  lines(): readonly string[] {
    return [...this.kept];
  }

  private redacted(line: string): string {
    const known = this.secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line);
    return SECRETS.reduce((text, [pattern, replacement]) => text.replaceAll(pattern, replacement), known);
  }
}
