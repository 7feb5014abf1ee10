import { Agent, request } from 'node:http';

/** Middle value of numbers. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Sends `count` requests, `concurrency` at a time, over kept-alive connections.
 * @returns {Promise<{ perSecond: number, medianMs: number, p99Ms: number }>}
 * @throws when an answer has another status than `expect`
 */
export async function load({ url, method = 'GET', headers = {}, body, count, concurrency, expect }) {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const latencies = [];
  let left = count;
  const startedAt = performance.now();
  const one = async () => {
    while (left > 0) {
      left -= 1;
      const sentAt = performance.now();
      const answer = await send({ url, method, headers, body, agent });
      if (answer.status !== expect)
        throw new Error(`${method} ${url}: ${answer.status} ${answer.text.slice(0, 300)}`);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    perSecond: count / seconds,
    medianMs: median(sorted),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)],
  };
}

/** One request, its whole answer. */
export function send({ url, method, headers, body, agent }) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode, text: Buffer.concat(chunks).toString() }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Runs two loads in turn, several rounds, so that a machine that speeds up or slows down does so for both.
 * @returns the medians of both and of the ratio of each round
 */
export async function compare(rounds, first, second) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) results.push([await first(), await second()]);
  const pick = (index, field) => median(results.map((pair) => pair[index][field]));
  const summary = (index) => ({
    perSecond: pick(index, 'perSecond'),
    medianMs: pick(index, 'medianMs'),
    p99Ms: pick(index, 'p99Ms'),
  });
  return {
    first: summary(0),
    second: summary(1),
    throughputRatio: median(results.map(([a, b]) => a.perSecond / b.perSecond)),
    latencyRatio: median(results.map(([a, b]) => a.medianMs / b.medianMs)),
  };
}
