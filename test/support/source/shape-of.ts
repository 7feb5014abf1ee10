/**
 * The structure of JSON without its values: objects with the shapes of their fields, arrays with that of their first
 * item, everything else as `value`.
 * @param open the name of fields whose own fields are arbitrary
 */
export function shapeOf(json: unknown, open?: string): unknown {
  if (Array.isArray(json)) return json.length === 0 ? [] : [shapeOf(json[0], open)];
  if (typeof json !== 'object' || json === null) return 'value';
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name, name === open ? 'any' : shapeOf(value, open)]),
  );
}
