import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Output } from '../generated/schema.js';
import { type CommandLine, UsageError } from './arguments.js';

const EXTENSION: Readonly<Record<NonNullable<Output['format']>, string>> = {
  jpeg: '.jpg',
  png: '.png',
  webp: '.webp',
  avif: '.avif',
};

/**
 * Where the result of each source will be written, decided before anything is paid for.
 * @throws UsageError when a source would be written over, without --force any file, or one result by another
 */
export function outputPaths(files: readonly string[], line: CommandLine): Map<string, string> {
  const paths = new Map(files.map((file) => [file, outputPath(file, files.length, line)]));
  const seen = new Map<string, string>();
  for (const [file, path] of paths) {
    if (path === '-') continue;
    const other = seen.get(path);
    if (other !== undefined) {
      throw new UsageError(`${other} and ${file} would both be written to ${path}. Choose another --output.`);
    }
    seen.set(path, file);
    if (files.some((source) => source !== '-' && isSame(source, path))) {
      throw new UsageError(`${path} is a source and is never written over. Choose another --output.`);
    }
    if (!line.force && existsSync(path)) {
      throw new UsageError(`${path} exists. Choose another --output, or write over it with --force.`);
    }
  }
  return paths;
}

function outputPath(file: string, count: number, line: CommandLine): string {
  const { output } = line;
  if (output === '-' || (file === '-' && output === undefined)) {
    if (count > 1) throw new UsageError('Only one image can go to standard output.');
    return '-';
  }
  const name = resultName(file, line);
  if (output === undefined) return join(dirname(file), name);
  if (isFolder(output)) return join(output, name);
  if (count > 1) {
    throw new UsageError(
      `--output must be a folder for several images; ${output} is none. End it with "/" to make it.`,
    );
  }
  return output;
}

/** Also by another name, as a link or where upper and lower case are the same. */
function isSame(first: string, second: string): boolean {
  if (!existsSync(first) || !existsSync(second)) return false;
  const [one, other] = [statSync(first, { bigint: true }), statSync(second, { bigint: true })];
  return one.ino === other.ino && one.dev === other.dev;
}

const isFolder = (path: string): boolean =>
  /[/\\]$/.test(path) || (existsSync(path) && statSync(path).isDirectory());

function resultName(file: string, line: CommandLine): string {
  const source = file === '-' ? 'image' : basename(file);
  const extension = extname(source);
  const format = line.format ?? (line.operation === 'bg_remove' ? 'png' : undefined);
  const wanted = format === undefined ? extension : EXTENSION[format];
  return `${basename(source, extension)}.${line.operation}${wanted}`;
}
