import ts from 'typescript';

/** What a module exports. */
export interface ExportedName {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'other';
  /** Public members of classes and interfaces, including inherited ones, except those of every `Error` or promise. */
  readonly members: readonly string[];
}

const OF_LANGUAGE = new Set(['name', 'message', 'stack', 'cause', 'then']);

/** Reads a module as its users see it, including types, which do not exist at run time. */
export function exportedNames(file: string): ExportedName[] {
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
  return checker.getExportsOfModule(module).map((symbol) => {
    const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
    const type = checker.getDeclaredTypeOfSymbol(target);
    const properties = type.isClassOrInterface() ? type.getProperties() : [];
    const kind = kindOf(target);
    const names = properties.filter(isPublic).map((property) => property.name);
    const members = kind === 'class' ? names.filter((name) => !OF_LANGUAGE.has(name)) : names;
    return { name: symbol.name, kind, members };
  });
}

function kindOf({ flags }: ts.Symbol): ExportedName['kind'] {
  if ((flags & ts.SymbolFlags.Class) !== 0) return 'class';
  return (flags & ts.SymbolFlags.Interface) === 0 ? 'other' : 'interface';
}

function isPublic(property: ts.Symbol): boolean {
  // Symbols such as that of an iterator, and private `#` members.
  if (/^(?:__@|#)/.test(property.name)) return false;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (property.declarations ?? []).every((each) => (ts.getCombinedModifierFlags(each) & hidden) === 0);
}
