/** A command line that cannot be read; the message says what is wrong. */
export class UsageError extends Error {}

export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly flags: ReadonlySet<string>;
}

/**
 * Reads `--name value`, `--name=value` and `--flag`.
 * @param known names of options that take a value, and of flags.
 * @throws UsageError for an unknown name or a missing value
 */
export function parseArguments(
  argv: readonly string[],
  known: { readonly options: readonly string[]; readonly flags: readonly string[] },
): ParsedArguments {
  const positionals: string[] = [];
  const options: Record<string, string> = {};
  const flags = new Set<string>();
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index]!;
    if (!argument.startsWith('--')) {
      positionals.push(argument);
      continue;
    }
    const [name, inline] = splitOnce(argument.slice(2), '=');
    if (known.flags.includes(name)) {
      flags.add(name);
    } else if (known.options.includes(name)) {
      const value = inline ?? argv[(index += 1)];
      if (value === undefined || value.startsWith('--')) throw new UsageError(`--${name} needs a value.`);
      options[name] = value;
    } else {
      throw new UsageError(`There is no option --${name}.`);
    }
  }
  return { positionals, options, flags };
}

/** `a=b=c` → [`a`, `b=c`]; without the separator the second is undefined. */
export function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}
