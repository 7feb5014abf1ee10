import type { ModelHealthDto } from '../../models/serving/model-health.dto.js';
import { escapeHtml } from './html-text.js';

/** The page `/docs/model-status`, which shows the models that this installation currently serves. */
export function modelStatusHtml({ status, operations, refusals, workers }: ModelHealthDto): string {
  const verdict =
    status === 'ok' ? 'All models are in service.' : 'Some models or workers need attention. See below.';
  const served = operations.map(({ operation, model }) => [
    operation,
    `${model.name} ${model.version}`,
    String(workers.filter((worker) => isServedBy(worker, operation, model.version)).length),
  ]);
  const running = workers.map(({ device, state, versions, seenAt }) => [
    device,
    state,
    versions.map((each) => `${each.operation}@${each.version}`).join(', '),
    seenAt,
  ]);
  const refused = refusals.map(({ operation, version, message }) => [`${operation}@${version}`, message]);
  return `<h1>Model status</h1>
<p>${verdict} Programs can read <a href="../health/models">/health/models</a>.</p>
<h2 id="operations">Operations</h2>
${table(['operation', 'model', 'workers'], served, 'No operations are available.')}
<h2 id="workers">Workers</h2>
${table(['device', 'state', 'versions', 'last seen'], running, 'No workers are running. New jobs wait.')}
<h2 id="refused">Versions not in service</h2>
${table(['version', 'reason'], refused, 'None.')}`;
}

function isServedBy(
  { versions }: ModelHealthDto['workers'][number],
  operation: string,
  version: number,
): boolean {
  return versions.some((each) => each.operation === operation && each.version === version);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[], without: string): string {
  if (rows.length === 0) return `<p>${without}</p>`;
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  return `<table><thead>${line(heads, 'th')}</thead><tbody>${rows.map((row) => line(row, 'td')).join('')}</tbody></table>`;
}
