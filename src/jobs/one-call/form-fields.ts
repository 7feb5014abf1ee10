import { invalidRequest } from '../../common/validation/validation.pipe.js';

/** `output`, or a member such as `output.format`. */
const NAME = /^[a-z]\w{0,39}(\.[a-z]\w{0,39}){0,3}$/i;
/** What follows is a key of metadata, whatever its characters: metadata has no deeper members. */
const METADATA = 'metadata.';
/** JSON of a member that is not text: a number, a boolean, null, an object, or a list. */
const NOT_TEXT = /^\s*(-?\d+(\.\d+)?|true|false|null|[[{].*)\s*$/s;
/** Members that are text even when they look like something else. */
const TEXT: ReadonlySet<string> = new Set([
  'sourceUrl',
  'operation',
  'level',
  'preset',
  'model',
  'callbackUrl',
  'cancelAfter',
  'retention',
]);

type Members = Record<string, unknown>;
const OWN = { configurable: true, enumerable: true, writable: true };

/**
 * The JSON body that the fields of a form stand for. A value is JSON (`output={"format":"webp"}`) or text, and a dotted
 * name is a member (`output.format=webp`). Values of `metadata` stay text. Keys that are reserved or too long are left to
 * validation.
 * @throws AppError `invalid_request`
 */
export function bodyOfForm(fields: ReadonlyMap<string, string>): Members {
  const body: Members = {};
  for (const [name, text] of fields) {
    const path = pathOf(name);
    const last = path.pop()!;
    const parent = path.reduce((members, step) => memberObject(members, step, name), body);
    if (Object.hasOwn(parent, last)) throw fault(name, 'twice', `${name} was sent more than once.`);
    // An assignment of `__proto__` would set the prototype, and validation would not see the key.
    Object.defineProperty(parent, last, { ...OWN, value: valueOf(name, text) });
  }
  return body;
}

function pathOf(name: string): string[] {
  if (name.startsWith(METADATA)) return ['metadata', name.slice(METADATA.length)];
  if (!NAME.test(name)) throw fault(name, 'unknown', `${name.slice(0, 100)} is not a known field.`);
  return name.split('.');
}

function memberObject(members: Members, step: string, name: string): Members {
  if (!Object.hasOwn(members, step)) members[step] = {};
  const member = members[step];
  if (typeof member !== 'object' || member === null || Array.isArray(member))
    throw fault(name, 'twice', `${name} conflicts with the field ${step}. Send only one of them.`);
  return member as Members;
}

function valueOf(name: string, text: string): unknown {
  if (TEXT.has(name) || name.startsWith(METADATA) || !NOT_TEXT.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw fault(name, 'json', `${name} is not valid JSON.`);
  }
}

function fault(field: string, code: string, message: string): Error {
  return invalidRequest([{ field: field.slice(0, 100), code, message }]);
}
