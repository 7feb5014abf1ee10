/** One sample of a metric. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads the metrics of a process like Prometheus. */
export async function readMetrics(url: string): Promise<readonly Sample[]> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels, value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...(labels ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]);
    return { name: name!, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

/** The sum of a metric over all its series. */
export function total(samples: readonly Sample[], name: string): number {
  return samples.filter((sample) => sample.name === name).reduce((sum, { value }) => sum + value, 0);
}
