import { randomInt } from 'node:crypto';
import { AccountsService } from '../../auth/accounts.service.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { withDatabase } from './database-session.js';

const EMAIL = 'demo@localhost';
/** Without what is easily mistaken for something else, since people may type it. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LETTERS = 5;

/** What a first start shows, once. */
export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly key: string;
}

/** Makes the account of a first start, so that there is something to try; null when there are accounts already. */
export async function createDemoAccount(databaseUrl: string): Promise<DemoAccount | null> {
  return withDatabase(databaseUrl, async (dataSource) => {
    const accounts = new AccountsService(dataSource);
    if ((await accounts.list()).length > 0) return null;
    const password = randomPassword();
    const passwordHash = await new PasswordHasher().hash(password);
    const { account, key } = await accounts.create(EMAIL, 'personal', null);
    await accounts.setPassword(account.id, passwordHash);
    return { email: EMAIL, password, key: key.key };
  });
}

/** About 99 random bits. */
function randomPassword(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]!).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
