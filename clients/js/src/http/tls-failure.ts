/**
 * Codes of Node.js for a certificate that is not trusted, has expired, or is of another host, and for a server that does
 * not speak TLS.
 */
const FINAL = /CERT|UNABLE_TO_VERIFY|HOSTNAME_MISMATCH|WRONG_VERSION_NUMBER/;

/** Whether a connection failed because of the server's certificate. Nothing was sent, and another attempt fails, too. */
export function isTlsFailure(error: unknown): boolean {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (FINAL.test((inner as { code?: string }).code ?? '')) return true;
  }
  return false;
}
