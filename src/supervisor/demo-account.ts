import { randomInt } from 'node:crypto';
import { AccountError } from '../auth/account-error.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { PasswordHasher } from '../infra/passwords/password-hasher.js';
import { withDatabase } from '../app/role/database-session.js';

const EMAIL = 'demo@localhost';
/** Excludes characters that look alike, because people may type the password. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LETTERS = 5;

/** The credentials of the demo account, shown once, at the first start. */
export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  readonly key: string;
}

/** A password and its hash. Hashing takes time, so it is done before the account is created. */
export interface DemoPassword {
  readonly password: string;
  readonly passwordHash: string;
}

/** Generates a password; nothing is stored yet. */
export async function demoPassword(): Promise<DemoPassword> {
  const password = randomPassword();
  return { password, passwordHash: await new PasswordHasher().hash(password) };
}

/**
 * Creates the demo account of a first start in one transaction.
 * @returns undefined when an account exists
 */
export async function createDemoAccount(
  databaseUrl: string,
  { password, passwordHash }: DemoPassword,
): Promise<DemoAccount | undefined> {
  return withDatabase(databaseUrl, async (dataSource) => {
    const accounts = new AccountsService(dataSource);
    if ((await accounts.list()).length > 0) return undefined;
    try {
      const { key } = await accounts.create(EMAIL, 'personal', null, passwordHash);
      return { email: EMAIL, password, key: key.key };
    } catch (error) {
      // A concurrent start on the same database created the account, and shows its key.
      if (error instanceof AccountError) return undefined;
      throw error;
    }
  });
}

/** About 99 random bits. */
function randomPassword(): string {
  const group = (): string =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]!).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
