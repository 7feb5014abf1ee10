import type { Schema, Schemas } from '../../docs/api-schema.js';
import { escapeHtml } from '../html-text.js';
import { type ApiSchema, resolved } from './api-document.js';

/** Deeper objects are only named, because they are described elsewhere on their own. */
const MAX_DEPTH = 4;

/** Renders a description: inline Markdown as HTML. */
export type TextRenderer = (markdown: string) => string;

/** The members of an object as a list, with those of nested objects collapsed. Empty for values without members. */
export function membersHtml(schema: Schema, schemas: Schemas, text: TextRenderer, depth = 0): string {
  const { properties = {}, required = [] } = objectOf(schema, schemas);
  const items = Object.entries(properties).map(([name, member]) => {
    const whole = resolved(member, schemas);
    const mark = required.includes(name) ? ' <span class="required">required</span>' : '';
    const inner = depth < MAX_DEPTH ? membersHtml(member, schemas, text, depth + 1) : '';
    const folded =
      inner === ''
        ? ''
        : `<details><summary>Members of <code>${escapeHtml(name)}</code></summary>${inner}</details>`;
    return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeText(member, schemas))}</span>${mark}${noteHtml(whole, text)}${folded}</li>`;
  });
  return items.length === 0 ? '' : `<ul class="members">${items.join('')}</ul>`;
}

/** The description of a value, and its constraints in words. */
export function noteHtml(schema: ApiSchema, text: TextRenderer): string {
  const limits = limitsOf(schema);
  const parts = [schema.description === undefined ? '' : text(schema.description), limits].filter(
    (part) => part !== '',
  );
  return parts.length === 0 ? '' : `<p>${parts.join(' ')}</p>`;
}

/** The type in words, such as `string or null` or `list of Job`. */
export function typeText(schema: Schema, schemas: Schemas): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.map((each) => typeText(each, schemas)).join(' or ');
  const whole = resolved(schema, schemas);
  if (whole !== schema && whole.anyOf !== undefined) return typeText(whole, schemas);
  if (whole.type === 'array') return `list of ${typeText(whole.items ?? {}, schemas)}`;
  const types = typeof whole.type === 'string' ? [whole.type] : (whole.type ?? ['object']);
  return types
    .map((type) => (type === 'string' && whole.format === 'date-time' ? 'time' : type))
    .join(' or ');
}

/** The object whose members are shown: the items of a list, or the first object among alternatives. */
function objectOf(schema: Schema, schemas: Schemas): Schema {
  const whole = resolved(schema, schemas);
  if (whole.properties !== undefined) return whole;
  if (whole.items !== undefined) return objectOf(whole.items, schemas);
  const parts = [...(whole.anyOf ?? []), ...(whole.oneOf ?? []), ...(whole.allOf ?? [])];
  return parts.map((part) => objectOf(part, schemas)).find((part) => part.properties !== undefined) ?? {};
}

function limitsOf(schema: ApiSchema): string {
  const { minimum, maximum, minItems, maxItems, maxLength } = schema;
  const texts = [
    schema.enum === undefined
      ? ''
      : `One of ${schema.enum.map((value) => `<code>${escapeHtml(String(value))}</code>`).join(', ')}.`,
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    schema.default === undefined
      ? ''
      : `Default: <code>${escapeHtml(JSON.stringify(schema.default))}</code>.`,
  ];
  return texts.filter((text) => text !== '').join(' ');
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return `From ${from} to ${to}${unit}.`;
  if (from !== undefined) return `At least ${from}${unit}.`;
  return to === undefined ? '' : `At most ${to}${unit}.`;
}
