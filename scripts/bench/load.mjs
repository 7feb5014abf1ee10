import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** The median of numbers. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Sends `count` requests, `concurrency` at a time, over keep-alive connections.
 * @returns {Promise<{ perSecond: number, medianMs: number, p99Ms: number }>}
 * @throws when a response has a status other than `expect`
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

/** Sends one request and reads its whole response. */
export function send({ url, method, headers, body, agent }) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent }, (incoming) => {
      text(incoming).then((answer) => resolve({ status: incoming.statusCode, text: answer }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/**
 * Runs two loads alternately for several rounds, so that changes in the speed of the machine affect both.
 * @returns the medians of both and of the ratio of each round
 */
export async function compare(rounds, first, second) {
  const { summaries, ratios } = await compareAll(rounds, [first, second]);
  return { first: summaries[0], second: summaries[1], ...ratios[1] };
}

/**
 * Like `compare`, for any number of loads.
 * @returns the medians of each, and of the ratio of the first to each
 */
export async function compareAll(rounds, loads) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const turn = [];
    for (const one of loads) turn.push(await one());
    results.push(turn);
  }
  const pick = (index, field) => median(results.map((turn) => turn[index][field]));
  const ratio = (index, field) => median(results.map((turn) => turn[0][field] / turn[index][field]));
  return {
    summaries: loads.map((_, index) => ({
      perSecond: pick(index, 'perSecond'),
      medianMs: pick(index, 'medianMs'),
      p99Ms: pick(index, 'p99Ms'),
    })),
    ratios: loads.map((_, index) => ({
      throughputRatio: ratio(index, 'perSecond'),
      latencyRatio: ratio(index, 'medianMs'),
    })),
  };
}
