const OPTIONAL_BODY = Symbol('OptionalBody');

/** A body class whose request may come without any body: that is the same as `{}`. */
export const OptionalBody = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(OPTIONAL_BODY, true, target);

export function isOptionalBody(type: object | undefined): boolean {
  return type !== undefined && Reflect.hasMetadata(OPTIONAL_BODY, type);
}
