import type { ImageEnhancement } from '../node.js';
import { sizeText } from './size-text.js';

/** The account's plan and usage, as text or as JSON. */
export async function usageText(
  client: ImageEnhancement,
  json: boolean,
  signal: AbortSignal,
): Promise<string> {
  const usage = await client.usage({ signal });
  if (json) return `${JSON.stringify(usage)}\n`;
  const { enhancements, storage } = usage;
  return [
    `Plan:          ${usage.plan}`,
    `Enhancements:  ${enhancements.used} of ${enhancements.limit} this month, again from ${enhancements.resetsAt.slice(0, 10)}`,
    `Storage:       ${sizeText(storage.usedBytes)} of ${sizeText(storage.limitBytes)}`,
    `Requests:      ${usage.requestsPerMinute.limit} a minute for each key`,
    '',
  ].join('\n');
}

/** The operations of the service, as text or as JSON with one operation per line. */
export async function operationsText(
  client: ImageEnhancement,
  json: boolean,
  signal: AbortSignal,
): Promise<string> {
  const operations = await client.operations({ signal });
  if (json) return operations.map((operation) => `${JSON.stringify(operation)}\n`).join('');
  const width = Math.max(...operations.map(({ operation }) => operation.length));
  return operations
    .map(
      ({ operation, levels, description }) =>
        `${operation.padEnd(width)}  ${levels.join(', ')}  ${description}\n`,
    )
    .join('');
}
