/** `unique_violation` of PostgreSQL. */
const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because another row has the same value. Its transaction can then only be rolled back. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === UNIQUE_VIOLATION;
}
