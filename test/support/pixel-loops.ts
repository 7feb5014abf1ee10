import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A loop that may touch pixels one by one. */
export interface PixelLoop {
  /** Path and line. */
  readonly place: string;
  readonly text: string;
}

/** Calls that move whole rows; what they copy they do not look at. */
const ROW_COPIES = new Set(['set', 'copyWithin', 'fill', 'subarray', 'slice', 'copy']);
/** Methods that visit every element of a typed array. */
const VISITS = new Set(['map', 'forEach', 'reduce', 'some', 'every', 'filter', 'findIndex', 'find']);
/** What pixels and tensors are called in this code, and the types that hold them. */
const PIXEL_NAMES = /^(data|pixels?|bytes|square|tensor|rows|buffer|image|batch|into|values|channel)$/i;
const TYPED_ARRAYS = new Set([
  'Uint8Array',
  'Float32Array',
  'Float64Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Int32Array',
]);

/**
 * Finds loops that read or write single elements of pixel buffers: an element access whose index depends on the loop's
 * own variable, or a visit of every element of a typed array. Copies of whole rows are no such thing.
 */
export function pixelLoopsIn(path: string, source: string): PixelLoop[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: PixelLoop[] = [];
  const note = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ place: `${path}:${line + 1}`, text: node.getText().split('\n')[0]!.slice(0, 100) });
  };
  const walk = (node: ts.Node): void => {
    if (isLoop(node) && touchesElements(node)) note(node);
    if (visitsTypedArray(node)) note(node);
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

/** As `pixelLoopsIn`, over the sources of a folder, tests left out. */
export function pixelLoopsUnder(folder: string): PixelLoop[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('testing/'))
    .flatMap((name) => pixelLoopsIn(join(folder, name), readFileSync(join(folder, name), 'utf8')));
}

function isLoop(node: ts.Node): node is ts.IterationStatement {
  return ts.isIterationStatement(node, false);
}

/** Whether a loop's body reaches into a buffer by an index that the loop moves. */
function touchesElements(loop: ts.IterationStatement): boolean {
  const moving = movingNames(loop);
  let touches = false;
  const walk = (node: ts.Node): void => {
    if (
      ts.isElementAccessExpression(node) &&
      isPixels(node.expression) &&
      dependsOn(node.argumentExpression, moving)
    )
      touches = true;
    // A loop inside is judged by itself, with its own variables and these.
    ts.forEachChild(node, walk);
  };
  walk(loop.statement);
  return touches;
}

/** Names declared or changed by a loop and its body. */
function movingNames(loop: ts.IterationStatement): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) names.add(node.name.text);
    if (
      (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) &&
      ts.isIdentifier(node.operand)
    )
      names.add(node.operand.text);
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
      node.operatorToken.kind <= ts.SyntaxKind.LastAssignment &&
      ts.isIdentifier(node.left)
    )
      names.add(node.left.text);
    ts.forEachChild(node, walk);
  };
  walk(loop);
  return names;
}

function dependsOn(node: ts.Node, names: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(node)) return names.has(node.text);
  return ts.forEachChild(node, (child) => dependsOn(child, names) || undefined) ?? false;
}

function isPixels(node: ts.Expression): boolean {
  if (ts.isNonNullExpression(node) || ts.isParenthesizedExpression(node)) return isPixels(node.expression);
  if (ts.isIdentifier(node)) return PIXEL_NAMES.test(node.text);
  if (ts.isPropertyAccessExpression(node)) return PIXEL_NAMES.test(node.name.text);
  if (ts.isAsExpression(node)) return isPixels(node.expression);
  return false;
}

/** `data.map(…)`, `Uint8Array.from(data, …)`, `for (const byte of data)`. */
function visitsTypedArray(node: ts.Node): boolean {
  if (ts.isForOfStatement(node) && ts.isPropertyAccessExpression(node.expression))
    return node.expression.name.text === 'data';
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression, name } = node.expression;
  if (ROW_COPIES.has(name.text)) return false;
  if (ts.isIdentifier(expression) && TYPED_ARRAYS.has(expression.text) && name.text === 'from')
    return node.arguments.length > 1;
  return (
    VISITS.has(name.text) && ts.isPropertyAccessExpression(expression) && expression.name.text === 'data'
  );
}
