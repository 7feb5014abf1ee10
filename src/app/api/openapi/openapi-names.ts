import type { OpenAPIObject } from '@nestjs/swagger';

/** Renames the schemas to their public names: `Job` instead of the class name `JobDto`. */
export function withPublicNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const named = {
    ...document,
    components: {
      ...document.components,
      schemas: Object.fromEntries(schemas.map(([name, schema]) => [publicName(name), schema])),
    },
  };
  const text = JSON.stringify(named).replaceAll(
    /"(#\/components\/schemas\/)(\w+)"/g,
    (_, prefix: string, name: string) => `"${prefix}${publicName(name)}"`,
  );
  return JSON.parse(text) as OpenAPIObject;
}

const publicName = (name: string): string => name.replace(/Dto$/, '');
