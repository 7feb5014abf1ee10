import type { OpenAPIObject } from '@nestjs/swagger';
import { FORM_BODY } from '../../../common/requests/form-body.decorator.js';

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, object>> };
  readonly [FORM_BODY]?: object;
}

/** Adds the forms that routes accept besides JSON, because Nest gives all content types of a body one schema. */
export function withForms(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(Object.entries(item as Record<string, Operation>).map(withForm)),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function withForm([method, operation]: [string, Operation]): [string, Operation] {
  const { [FORM_BODY]: schema, ...rest } = operation;
  if (schema === undefined || rest.requestBody === undefined) return [method, operation];
  const content = { 'multipart/form-data': { schema }, ...rest.requestBody.content };
  return [method, { ...rest, requestBody: { ...rest.requestBody, content } }];
}
