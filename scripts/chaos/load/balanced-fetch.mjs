/**
 * A `fetch` that sends each request to one of the api processes, like a load balancer without health checks. After an
 * address refuses a connection, it is tried last for some time.
 * @param {readonly string[]} baseUrls
 */
export function balancedFetch(baseUrls) {
  const REFUSED_MS = 2_000;
  const refusedAt = new Map();
  let turn = 0;
  return async (input, init) => {
    const nowMs = performance.now();
    turn += 1;
    const inTurn = baseUrls.map((_, index) => baseUrls[(turn + index) % baseUrls.length]);
    const isFine = (url) => nowMs - (refusedAt.get(url) ?? -Infinity) > REFUSED_MS;
    const base = inTurn.find(isFine) ?? inTurn[0];
    const { pathname, search } = new URL(input);
    try {
      return await fetch(new URL(pathname + search, base), init);
    } catch (error) {
      if (error.cause?.code === 'ECONNREFUSED') refusedAt.set(base, nowMs);
      throw error;
    }
  };
}
