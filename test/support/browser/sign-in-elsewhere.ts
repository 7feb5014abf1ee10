import { expect } from 'vitest';
import { PASSWORD } from './dashboard-browser.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';

/** Signs a user in from another browser. @returns its cookie */
export async function signInElsewhere(baseUrl: string, email: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/dashboard/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': FIREFOX, origin: baseUrl },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}
