import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { NumberTypes } from './number-types.js';

/** Code that reads or writes single elements of a typed array. */
export interface PixelLoop {
  /** The file, and the function, method or constant with the code: `src/worker/a.ts: halve`. */
  readonly owner: string;
  /** File and line. */
  readonly place: string;
  readonly text: string;
}

/** Methods and properties of a typed array that visit every element, except copies of whole rows. */
const VISITS = new Set(
  (
    'map forEach reduce reduceRight some every filter find findIndex findLast findLastIndex sort toSorted ' +
    'entries values keys'
  ).split(' '),
);
/** Methods of typed arrays, buffers and views that take one element by index, with the position of that argument. */
const INDEX_ARGUMENTS: readonly (readonly [RegExp, number])[] = [
  [/^(at|with|(read|get|set)(Big)?(U?[Ii]nt|Float|Double)\w*)$/, 0],
  [/^write(Big)?(U?[Ii]nt|Float|Double)\w*$/, 1],
];

/**
 * Finds code that touches single elements of pixels, whatever they are called: TypeScript knows which ones are typed
 * arrays, buffers or tensor data. Every access by a non-constant index counts, in a loop or not,
 * since a function of one pixel is called from a loop somewhere; so does everything that visits all elements. What
 * moves whole rows (`set`, `subarray`, `copyWithin`, `fill`) does not count.
 */
export class PixelLoops {
  private readonly program: ts.Program;
  private readonly types: NumberTypes;

  /**
   * Reads the sources of folders, without tests, as one program.
   * @param fixtures further sources, by paths that need not exist
   */
  constructor(
    private readonly root: string,
    folders: readonly string[],
    fixtures: ReadonlyMap<string, string> = new Map(),
  ) {
    const { options, fileNames } = settings(join(root, 'tsconfig.json'));
    const sources = fileNames.filter((path) =>
      folders.some((folder) => isSource(relative(root, path), folder)),
    );
    const made = new Map([...fixtures].map(([path, text]) => [resolve(root, path), text]));
    this.program = ts.createProgram([...sources, ...made.keys()], options, hostWith(made, options));
    this.types = new NumberTypes(this.program.getTypeChecker());
  }

  /** The findings in a folder or in one file. */
  under(path: string): PixelLoop[] {
    return this.files(path).flatMap((file) => this.inFile(file));
  }

  /** How many files of a folder were read. */
  countUnder(folder: string): number {
    return this.files(folder).length;
  }

  private files(path: string): readonly ts.SourceFile[] {
    const isBelow = (name: string): boolean => name === path || name.startsWith(`${path}/`);
    return this.program.getSourceFiles().filter(({ fileName }) => isBelow(relative(this.root, fileName)));
  }

  private inFile(file: ts.SourceFile): PixelLoop[] {
    const path = relative(this.root, file.fileName);
    const found: PixelLoop[] = [];
    const walk = (node: ts.Node): void => {
      if (this.touches(node)) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        const text = node.getText().split('\n')[0]!.slice(0, 100);
        found.push({ owner: `${path}: ${ownerOf(node)}`, place: `${path}:${line + 1}`, text });
      }
      ts.forEachChild(node, walk);
    };
    walk(file);
    return found;
  }

  private touches(node: ts.Node): boolean {
    if (ts.isElementAccessExpression(node))
      return this.types.hasNumbers(node.expression) && !this.types.isConstant(node.argumentExpression);
    if (ts.isForOfStatement(node) || ts.isForInStatement(node) || ts.isSpreadElement(node))
      return this.types.hasNumbers(node.expression);
    if (ts.isPropertyAccessExpression(node))
      return VISITS.has(node.name.text) && this.types.hasNumbers(node.expression);
    return ts.isCallExpression(node) && (this.takesOne(node) || this.visitsArgument(node));
  }

  /** `pixels.at(i)`, `pixels.readUInt8(i)`, `view.setUint8(i, 0)`. */
  private takesOne({ expression, arguments: given }: ts.CallExpression): boolean {
    if (!ts.isPropertyAccessExpression(expression)) return false;
    const index = INDEX_ARGUMENTS.find(([names]) => names.test(expression.name.text))?.[1];
    if (index === undefined || given[index] === undefined) return false;
    return this.types.hasElements(expression.expression) && !this.types.isConstant(given[index]);
  }

  /** `Float32Array.from(pixels, half)`, `Array.from(pixels)`, `Object.values(pixels)`, `each.call(pixels, …)`. */
  private visitsArgument(call: ts.CallExpression): boolean {
    const [first, second] = call.arguments;
    if (!ts.isPropertyAccessExpression(call.expression) || first === undefined) return false;
    const { name } = call.expression;
    if (name.text === 'from') {
      const becomesNumbers = this.types.hasNumbers(call);
      if (second !== undefined && this.types.isFunction(second))
        return becomesNumbers || this.types.hasNumbers(first);
      return !becomesNumbers && this.types.hasNumbers(first);
    }
    return (VISITS.has(name.text) || ['call', 'apply'].includes(name.text)) && this.types.hasNumbers(first);
  }
}

function settings(path: string): ts.ParsedCommandLine {
  const onUnRecoverableConfigFileDiagnostic = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  };
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic };
  return ts.getParsedCommandLineOfConfigFile(path, {}, host)!;
}

function isSource(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) && !path.endsWith('.spec.ts') && !path.includes('/testing/');
}

/** The file system with additional files. */
function hostWith(made: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    fileExists: (path) => made.has(path) || host.fileExists(path),
    readFile: (path) => made.get(path) ?? host.readFile(path),
    getSourceFile: (path, language, ...rest) => {
      const text = made.get(path);
      if (text === undefined) return host.getSourceFile(path, language, ...rest);
      return ts.createSourceFile(path, text, language, true);
    },
  };
}

/** The innermost function, method or class with a name, or the constant of the module. */
function ownerOf(node: ts.Node): string {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    const isConstant = ts.isVariableDeclaration(at) && ts.isSourceFile(at.parent.parent.parent);
    if (isConstant || ts.isFunctionDeclaration(at) || ts.isMethodDeclaration(at) || ts.isClassDeclaration(at))
      return (at as ts.NamedDeclaration).name?.getText() ?? 'default';
  }
  return 'module';
}
