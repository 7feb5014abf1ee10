/** Like `Promise.all`, but rejects only after both have ended, so that neither still uses what the caller removes. */
export async function allEnded<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
