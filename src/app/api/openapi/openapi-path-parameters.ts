import type { OpenAPIObject } from '@nestjs/swagger';

/** Descriptions of the single parameter of a path, by path prefix. */
const TEXTS: readonly (readonly [prefix: string, text: string])[] = [
  ['/api/ai/sources/', 'The id of a source: `src_` and 32 hexadecimal digits.'],
  ['/api/ai/uploads/', 'The id of a direct upload: `upl_` and 32 hexadecimal digits.'],
  ['/api/ai/enhance/', 'The id of a job: `job_` and 32 hexadecimal digits.'],
  ['/api/ai/batches/', 'The id of a batch: `bat_` and 32 hexadecimal digits.'],
  ['/api/ai/presets/', 'The name of a preset.'],
  ['/api/webhooks/endpoints/', 'The id of an endpoint: `we_` and 32 hexadecimal digits.'],
  ['/api/webhooks/deliveries/', 'The id of a delivery: `dlv_` and 32 hexadecimal digits.'],
  ['/files/', 'The rest of the file name in a signed URL.'],
];

/** Adds descriptions of path parameters to the document. */
export function withPathParameters(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const description = TEXTS.find(([prefix]) => path.startsWith(prefix))?.[1];
    if (description === undefined) return [path, item];
    const operations = Object.entries(item as Record<string, Operation>).map(([method, operation]) => [
      method,
      { ...operation, parameters: operation.parameters?.map((one) => described(one, description)) },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

interface Operation {
  readonly parameters?: readonly Parameter[];
}

interface Parameter {
  readonly in: string;
  readonly description?: string;
}

const described = (parameter: Parameter, description: string): Parameter =>
  parameter.in === 'path' ? { description, ...parameter } : parameter;
