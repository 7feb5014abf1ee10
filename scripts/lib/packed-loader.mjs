// The build copies this file to dist/node_modules/.shared/load.js.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';

/** @type {Map<string, { exports: Record<string, unknown>, script: Script }>} by path */
const modules = new Map();

/**
 * Loads a packed CommonJS module, once, with the functions that V8 compiled when the module was packed. Another version
 * of V8 compiles the module again.
 * @param {string} id `./<name>.cjs`
 * @returns {Record<string, unknown>} its exports
 */
export function load(id) {
  const path = join(import.meta.dirname, id);
  const known = modules.get(path);
  if (known !== undefined) return known.exports;
  const script = new Script(
    `(function (exports, require, module, __filename, __dirname) {${readFileSync(path, 'utf8')}\n})`,
    {
      filename: path,
      cachedData: compiledCode(path),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    },
  );
  const module = { exports: {}, script };
  modules.set(path, module);
  const requirePackage = createRequire(path);
  const require = (name) => (name.startsWith('./') ? load(name) : requirePackage(name));
  script.runInThisContext().call(module.exports, module.exports, require, module, path, dirname(path));
  return module.exports;
}

/** Stores the functions of all loaded modules that V8 has compiled so far. */
export function writeCompiledCode() {
  for (const [path, { script }] of modules) writeFileSync(codePath(path), script.createCachedData());
}

/** The names of the loaded modules whose compiled code V8 rejected. */
export function rejected() {
  return [...modules].filter(([, { script }]) => script.cachedDataRejected).map(([path]) => basename(path));
}

function compiledCode(path) {
  try {
    return readFileSync(codePath(path));
  } catch {
    return undefined;
  }
}

function codePath(path) {
  return `${path}.code`;
}
