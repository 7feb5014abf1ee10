import { passwordFault } from '../../auth/passwords/password-rules.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { UsageError } from '../command-line.mjs';

const MAX_INPUT_CHARACTERS = 4_096;

/**
 * Reads the first line of standard input as a new password. On the command line, every user of the host could read it.
 * @throws UsageError when the password does not meet the requirements
 */
export async function passwordFromInput(email: string): Promise<{ readonly hash: string }> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_INPUT_CHARACTERS) break;
  }
  const [password = ''] = text.split(/\r?\n/, 1);
  const fault = passwordFault(password, email);
  if (fault !== undefined) throw new UsageError(`The password on standard input ${fault}.`);
  return { hash: await new PasswordHasher().hash(password) };
}
