import { passwordFault } from '../../auth/passwords/password-rules.js';
import { PasswordHasher } from '../../infra/passwords/password-hasher.js';
import { UsageError } from '../arguments.js';

/** Passwords never stand on a command line, where every user of the host could read them. */
export const PASSWORD_FLAG = 'password-stdin';

const MAX_INPUT_CHARACTERS = 4_096;

/** Reads the first line of standard input as a new password. @throws UsageError when it will not do */
export async function passwordFromInput(email: string): Promise<{ readonly hash: string }> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_INPUT_CHARACTERS) break;
  }
  const [password = ''] = text.split(/\r?\n/, 1);
  const fault = passwordFault(password, email);
  if (fault !== undefined) throw new UsageError(`The password of standard input ${fault}.`);
  return { hash: await new PasswordHasher().hash(password) };
}
