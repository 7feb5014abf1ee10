import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import type { AuthorizationChecks } from '../../infra/openid/openid-provider.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** How long a user may take at the provider. */
export const OIDC_SECONDS = 900;

const STORE: Prepared = {
  name: 'oidc_request_store',
  text: `INSERT INTO oidc_requests (browser_hash, state, nonce, code_verifier, next_path, session_hash, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + ${OIDC_SECONDS} * interval '1 second')`,
};

const TAKE: Prepared = {
  name: 'oidc_request_take',
  text: `DELETE FROM oidc_requests WHERE browser_hash = $1 AND state = $2
         RETURNING state, nonce, code_verifier AS "codeVerifier", next_path AS "nextPath",
                   session_hash AS "sessionHash", expires_at > now() AS "isOpen"`,
};

/** A sign-in that was sent to the provider. */
export interface OidcRequest extends AuthorizationChecks {
  /** The page to show afterward. */
  readonly nextPath: string;
  /** Of the session that the browser had; its cookie is not sent when the browser comes back from another site. */
  readonly sessionHash: Buffer | null;
}

/** Sign-ins for which browsers were sent to the provider. */
@Injectable()
export class OidcRequestsRepository {
  constructor(private readonly database: Database) {}

  /**
   * @param browser token of another sign-in that the browser began: both can come back
   * @returns the token for the cookie of the browser
   */
  async store(request: OidcRequest, browser = newSecretToken()): Promise<string> {
    const { state, nonce, codeVerifier, nextPath, sessionHash } = request;
    const values = [hashSecretToken(browser), state, nonce, codeVerifier, nextPath, sessionHash];
    await this.database.query(STORE, values);
    return browser;
  }

  /** @returns undefined when this browser did not begin it, when it came back before, or took too long */
  async take(browser: string, state: string): Promise<OidcRequest | undefined> {
    const [row] = await this.database.query<OidcRequest & { isOpen: boolean }>(TAKE, [
      hashSecretToken(browser),
      state,
    ]);
    return row?.isOpen === true ? row : undefined;
  }
}
