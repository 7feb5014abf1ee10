const OPTIONAL_BODY = Symbol('OptionalBody');

/** Allows a request without a body, which counts as `{}`. */
export const OptionalBody = (): ClassDecorator => (target) =>
  Reflect.defineMetadata(OPTIONAL_BODY, true, target);

export function isOptionalBody(type: object | undefined): boolean {
  return type !== undefined && Reflect.hasMetadata(OPTIONAL_BODY, type);
}
