import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../../infra/database/database.js';
import { hashSecretToken } from '../../kernel/secret-token.js';

/** How long a user may take to confirm on the device. */
export const CHALLENGE_SECONDS = 300;

const STORE: Prepared = {
  name: 'passkey_challenge_store',
  text: `INSERT INTO passkey_challenges (owner_hash, challenge, expires_at)
         VALUES ($1, $2, now() + ${CHALLENGE_SECONDS} * interval '1 second')
         ON CONFLICT (owner_hash) DO UPDATE SET challenge = excluded.challenge, expires_at = excluded.expires_at`,
};

const TAKE: Prepared = {
  name: 'passkey_challenge_take',
  text: `DELETE FROM passkey_challenges WHERE owner_hash = $1 RETURNING challenge, expires_at > now() AS "isOpen"`,
};

interface ChallengeRow {
  readonly challenge: string;
  readonly isOpen: boolean;
}

/** Challenges of passkeys. Each belongs to one browser and can be answered once. */
@Injectable()
export class PasskeyChallengesRepository {
  constructor(private readonly database: Database) {}

  /** @param owner the token of the browser: of its session, or of its sign-in */
  async store(owner: string, challenge: string): Promise<void> {
    await this.database.query(STORE, [hashSecretToken(owner), challenge]);
  }

  /** @returns undefined when it was answered before, or took too long */
  async take(owner: string): Promise<string | undefined> {
    const [row] = await this.database.query<ChallengeRow>(TAKE, [hashSecretToken(owner)]);
    return row?.isOpen === true ? row.challenge : undefined;
  }
}
