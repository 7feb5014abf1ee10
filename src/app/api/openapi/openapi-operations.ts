import type { OpenAPIObject } from '@nestjs/swagger';
import { FORM_BODY } from '../../../common/requests/form-body.decorator.js';

/** The members of an operation that are changed. */
export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly [FORM_BODY]?: object;
}

interface Parameter {
  readonly in: string;
  readonly description?: string;
}

type Change = (operation: Operation, path: string, method: string) => object;

/** The document with each operation of its paths changed. */
export function mapOperations(document: OpenAPIObject, change: Change): OpenAPIObject {
  return { ...document, paths: changed(document.paths, change) };
}

function changed<Items extends object>(items: Items, change: Change): Items {
  const entries = Object.entries(items as Record<string, Record<string, Operation>>).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, change(operation, path, method)]),
    ),
  ]);
  return Object.fromEntries(entries) as Items;
}

/** Adds the forms that routes accept besides JSON, because Nest gives all content types of a body one schema. */
export function withForms(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation) => {
    const { [FORM_BODY]: schema, ...rest } = operation;
    if (schema === undefined || rest.requestBody === undefined) return operation;
    const content = { 'multipart/form-data': { schema }, ...rest.requestBody.content };
    return { ...rest, requestBody: { ...rest.requestBody, content } };
  });
}

/** Adds `security: []` where no key is needed, so that a missing requirement does not look like an oversight. */
export function withPublicSecurity(document: OpenAPIObject): OpenAPIObject {
  const secured: Change = (operation) => ({ security: [], ...operation });
  return { ...mapOperations(document, secured), webhooks: changed(document.webhooks ?? {}, secured) };
}

/** Descriptions of the single parameter of a path, by path prefix. */
const PARAMETER_TEXTS: readonly (readonly [prefix: string, text: string])[] = [
  ['/api/ai/sources/', 'The id of a source: `src_` and 32 hexadecimal digits.'],
  ['/api/ai/uploads/', 'The id of a direct upload: `upl_` and 32 hexadecimal digits.'],
  ['/api/ai/enhance/', 'The id of a job: `job_` and 32 hexadecimal digits.'],
  ['/api/ai/batches/', 'The id of a batch: `bat_` and 32 hexadecimal digits.'],
  ['/api/ai/presets/', 'The name of a preset.'],
  ['/api/webhooks/endpoints/', 'The id of an endpoint: `we_` and 32 hexadecimal digits.'],
  ['/api/webhooks/deliveries/', 'The id of a delivery: `dlv_` and 32 hexadecimal digits.'],
  ['/files/', 'The rest of the file name in a signed URL.'],
];

/** Adds descriptions of path parameters. */
export function withPathParameters(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation, path) => {
    const description = PARAMETER_TEXTS.find(([prefix]) => path.startsWith(prefix))?.[1];
    if (description === undefined || operation.parameters === undefined) return operation;
    const parameters = operation.parameters.map((parameter) =>
      parameter.in === 'path' ? { description, ...parameter } : parameter,
    );
    return { ...operation, parameters };
  });
}
