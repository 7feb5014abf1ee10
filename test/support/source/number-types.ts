import ts from 'typescript';

/** What TypeScript knows of expressions that may hold pixels. */
export class NumberTypes {
  constructor(private readonly checker: ts.TypeChecker) {}

  /**
   * Whether an expression may be a typed array, a Buffer or anything else with a length and numbers by index, such as
   * `ArrayLike<number>`. An `Array` does not count: code that fills one with pixels reads them somewhere.
   */
  hasNumbers(expression: ts.Expression): boolean {
    return this.mayBe(this.checker.getTypeAtLocation(expression), (type) => this.isNumbers(type));
  }

  /** Like `hasNumbers`, but includes a DataView. */
  hasElements(expression: ts.Expression): boolean {
    return this.mayBe(
      this.checker.getTypeAtLocation(expression),
      (type) => this.isNumbers(type) || type.getSymbol()?.name === 'DataView',
    );
  }

  /** Whether it is one number that is known before the program runs. */
  isConstant(expression: ts.Expression): boolean {
    return this.checker.getTypeAtLocation(expression).isNumberLiteral();
  }

  isFunction(expression: ts.Expression): boolean {
    return this.checker.getTypeAtLocation(expression).getCallSignatures().length > 0;
  }

  /** Any part of a union counts, and the constraint of a type parameter; an untyped value may be anything. */
  private mayBe(type: ts.Type, judge: (type: ts.Type) => boolean): boolean {
    const known = this.checker.getBaseConstraintOfType(type) ?? type;
    if ((known.flags & ts.TypeFlags.Any) !== 0) return true;
    return known.isUnion() ? known.types.some((part) => this.mayBe(part, judge)) : judge(known);
  }

  private isNumbers(type: ts.Type): boolean {
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) return false;
    const element = this.checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    const numbers = ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike;
    if (element === undefined || (element.flags & numbers) === 0) return false;
    return this.checker.getPropertyOfType(type, 'length') !== undefined;
  }
}
