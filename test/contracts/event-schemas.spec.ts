import { describe, expect, it } from 'vitest';
import { schemaOfDto } from '../../src/common/resources/dto-schema.js';
import { JobDto } from '../../src/common/resources/job.dto.js';
import { SourceDto } from '../../src/common/resources/source.dto.js';
import { offlineOpenApiDocument } from '../../src/app/docs/openapi-offline.js';

type Json = Record<string, unknown>;

/** A document schema in the form of an event schema: references inlined, examples removed. */
function inlined(schema: Json, schemas: Record<string, Json>): Json {
  const {
    $ref,
    allOf,
    anyOf,
    example: _example,
    ...rest
  } = schema as Json & {
    $ref?: string;
    allOf?: Json[];
    anyOf?: Json[];
  };
  if ($ref !== undefined) return { ...inlined(schemas[$ref.split('/').at(-1)!]!, schemas), ...rest };
  if (allOf !== undefined) return { ...inlined(allOf[0]!, schemas), ...rest };
  if (anyOf !== undefined) {
    const one = inlined(anyOf[0]!, schemas);
    return { ...one, type: [one['type'], 'null'], ...rest };
  }
  const { properties, items } = rest as { properties?: Record<string, Json>; items?: Json };
  if (items !== undefined) return { ...rest, items: inlined(items, schemas) };
  if (properties === undefined) return rest;
  const entries = Object.entries(properties).map(([name, each]) => [name, inlined(each, schemas)]);
  return { ...rest, properties: Object.fromEntries(entries) };
}

describe('the payload of an event', () => {
  it.each([
    ['a job', JobDto],
    ['a source', SourceDto],
  ])('describes %s as the OpenAPI document does', async (_what, dto) => {
    const document = JSON.parse(JSON.stringify(await offlineOpenApiDocument())) as {
      components: { schemas: Record<string, Json> };
    };
    const { schemas } = document.components;
    expect(schemaOfDto(dto)).toEqual(inlined(schemas[dto.name.replace(/Dto$/, '')]!, schemas));
  });
});
