/** An input caused something that no input may cause. */
export class Finding extends Error {}

/** An input ended the process that is tested: further inputs would test nothing. */
export class TargetEnded extends Finding {}

/** @throws Finding when `work` takes longer than the limit; the work continues */
export async function within(limitMs, work) {
  let timer;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Finding(`no answer after ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
