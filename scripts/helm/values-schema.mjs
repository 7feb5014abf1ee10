import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../lib/paths.mjs';

/** Maps whose keys the operator chooses. */
const FREE_MAPS = new Set(['annotations', 'config', 'labels', 'nodeSelector', 'podAnnotations', 'resources']);

/**
 * JSON schema of the chart's values, generated from the defaults, so that Helm rejects misspelled values and wrong
 * types.
 */
export function valuesSchema() {
  const { workers: _, ...values } = parse(readFileSync(join(ROOT, 'docker', 'helm', 'values.yaml'), 'utf8'));
  const schema = schemaOf(values);
  // Helm sets `global` for every chart.
  schema.properties.global = { type: 'object' };
  schema.properties.workers = {
    type: 'object',
    propertyNames: { pattern: '^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$' },
    additionalProperties: schema.properties.workerDefaults,
  };
  schema.properties.workerDefaults.properties.image = { enum: ['worker', 'worker-cuda'] };
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...schema };
}

function schemaOf(value, name = '') {
  if (Array.isArray(value)) return { type: 'array' };
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  if (typeof value !== 'object') return { type: typeof value };
  if (FREE_MAPS.has(name)) return { type: 'object' };
  const properties = Object.entries(value).map(([key, item]) => [key, schemaOf(item, key)]);
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}
