/** Like `Promise.all`, but rejects only after all have ended: then none uses what the caller removes. */
export async function allEnded<Results extends readonly unknown[]>(
  work: readonly [...{ [Index in keyof Results]: Promise<Results[Index]> }],
): Promise<Results> {
  await Promise.allSettled(work);
  return Promise.all(work) as unknown as Promise<Results>;
}
