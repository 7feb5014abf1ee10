import type { Schemas } from '../../docs/api-schema.js';
import { escapeHtml } from '../html-text.js';
import type { ApiContent, ApiOperation, CodeSample, PlacedOperation } from './api-document.js';
import { membersHtml, noteHtml, type TextRenderer, typeText } from './schema-html.js';

/** Renderers of the parts of an operation. */
export interface Renderers {
  readonly inline: TextRenderer;
  readonly block: TextRenderer;
  readonly code: (code: string, language: string) => string;
}

/** One operation as HTML: its description, request and responses. */
export function operationHtml(placed: PlacedOperation, schemas: Schemas, renderers: Renderers): string {
  const { method, path, operation } = placed;
  const isEvent = !path.startsWith('/');
  const address = isEvent
    ? ''
    : `<p class="address"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></p>`;
  return `<section class="operation" id="${escapeHtml(anchorOf(placed))}">
<h2>${renderers.inline(isEvent ? `\`${path}\`` : operation.summary)}</h2>
${address}
${renderers.block(operation.description ?? (isEvent ? operation.summary : ''))}
${accessHtml(operation)}
${samplesHtml(operation.operationId, operation['x-codeSamples'] ?? [], renderers)}
${parametersHtml(operation, schemas, renderers)}
${bodyHtml(operation, schemas, renderers)}
${isEvent ? '' : responsesHtml(operation, schemas, renderers)}
</section>`;
}

/** The anchor of an operation on its page. */
export function anchorOf({ path, operation }: PlacedOperation): string {
  return path.startsWith('/') ? operation.operationId : path.replaceAll('.', '-');
}

function accessHtml({ security }: ApiOperation): string {
  if (security === undefined) return '';
  const scopes = [...new Set(security.flatMap((each) => Object.values(each).flat()))];
  if (scopes.length > 0) {
    const names = scopes.map((scope) => `<code>${escapeHtml(scope)}</code>`).join(' or ');
    return `<p class="soft">Scope: ${names}.</p>`;
  }
  const isOpen = security.length === 0 || security.some((each) => Object.keys(each).length === 0);
  return `<p class="soft">${isOpen ? 'Needs no API key.' : 'Any API key.'}</p>`;
}

/** Tabs that work without scripts: each language is a radio button with its sample. */
function samplesHtml(id: string, samples: readonly CodeSample[], { code }: Renderers): string {
  if (samples.length === 0) return '';
  const tabs = samples.map(({ label }, index) => {
    const tab = `${escapeHtml(id)}-${index}`;
    return `<input type="radio" name="sample-${escapeHtml(id)}" id="${tab}" data-language="${label}"${index === 0 ? ' checked' : ''}><label for="${tab}">${label}</label>`;
  });
  const panels = samples.map(({ lang, source }) => `<div class="panel">${code(source, lang)}</div>`);
  return `<fieldset class="samples"><legend>Sample</legend>${tabs.join('')}${panels.join('')}</fieldset>`;
}

function parametersHtml({ parameters = [] }: ApiOperation, schemas: Schemas, { inline }: Renderers): string {
  if (parameters.length === 0) return '';
  const items = parameters.map((parameter) => {
    const { name, required, schema, description } = parameter;
    const mark = required === true ? ' <span class="required">required</span>' : '';
    const whole = description === undefined ? schema : { ...schema, description };
    return `<li><code class="name">${escapeHtml(name)}</code> <span class="type">${parameter.in}, ${escapeHtml(typeText(schema, schemas))}</span>${mark}${noteHtml(whole, inline)}</li>`;
  });
  return `<h3>Parameters</h3><ul class="members">${items.join('')}</ul>`;
}

function bodyHtml({ requestBody }: ApiOperation, schemas: Schemas, renderers: Renderers): string {
  if (requestBody === undefined) return '';
  return `<h3>Body</h3>${contentHtml(requestBody.content, schemas, renderers)}`;
}

function responsesHtml({ responses }: ApiOperation, schemas: Schemas, renderers: Renderers): string {
  const items = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const isError = Number(status) >= 400;
    const inner = isError ? '' : contentHtml(content, schemas, renderers);
    const text = description === '' ? '' : renderers.block(description);
    const kind = isError ? 'error' : 'success';
    if (`${text}${inner}` === '') return `<li><span class="status ${kind}">${status}</span> No content.</li>`;
    return `<li><details><summary><span class="status ${kind}">${status}</span></summary>${text}${inner}</details></li>`;
  });
  return `<h3>Responses</h3><ul class="responses">${items.join('')}</ul>`;
}

/** Shows media types with the same members only once. */
function contentHtml(content: ApiContent, schemas: Schemas, { inline }: Renderers): string {
  const byMembers = new Map<string, string[]>();
  for (const [type, { schema }] of Object.entries(content)) {
    const members = membersHtml(schema, schemas, inline);
    byMembers.set(members, [...(byMembers.get(members) ?? []), type]);
  }
  return [...byMembers]
    .map(
      ([members, types]) =>
        `<p class="soft">${types.map((type) => `<code>${escapeHtml(type)}</code>`).join(', ')}</p>${members}`,
    )
    .join('');
}
