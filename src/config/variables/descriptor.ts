import ipaddr from 'ipaddr.js';

/** One environment variable: its parser and its documentation. */
export interface Descriptor<T> {
  readonly name: string;
  readonly text: string;
  /** The default, as shown in the documentation. */
  readonly defaultText: string;
  /** The format of a valid value, for the documentation and for errors. */
  readonly format: string;
  /** Parses a value; throws a plain Error whose message completes "NAME …". `undefined`: not set. */
  readonly read: (raw: string | undefined) => T;
  /** Contains a password or key: the value may be in a file that `<name>_FILE` names. See `secret`. */
  readonly isSecret?: true;
}

/** Marks a variable that contains a password or key, such as a URL with a password in it. */
export function secret<T>(descriptor: Descriptor<T>): Descriptor<T> {
  return { ...descriptor, isSecret: true };
}

interface Common {
  readonly text: string;
}

const unset = (raw: string | undefined): raw is undefined => raw === undefined || raw.trim() === '';

/** An integer in a closed range. */
export function integer(
  name: string,
  options: Common & { readonly default: number; readonly min: number; readonly max: number },
): Descriptor<number> {
  return {
    name,
    text: options.text,
    defaultText: String(options.default),
    format: `whole number from ${options.min} to ${options.max}`,
    read: (raw) => {
      if (unset(raw)) return options.default;
      const value = Number(raw);
      if (!Number.isInteger(value) || value < options.min || value > options.max) {
        throw new Error(`must be a whole number from ${options.min} to ${options.max}, not "${raw}"`);
      }
      return value;
    },
  };
}

/** `true` or `false`. */
export function flag(name: string, options: Common & { readonly default: boolean }): Descriptor<boolean> {
  return {
    name,
    text: options.text,
    defaultText: String(options.default),
    format: '`true` or `false`',
    read: (raw) => {
      if (unset(raw)) return options.default;
      if (raw !== 'true' && raw !== 'false') throw new Error(`must be "true" or "false", not "${raw}"`);
      return raw === 'true';
    },
  };
}

/** One of a fixed set of words. */
export function oneOf<const T extends string>(
  name: string,
  options: Common & { readonly values: readonly T[]; readonly default: T },
): Descriptor<T> {
  return {
    name,
    text: options.text,
    defaultText: `\`${options.default}\``,
    format: options.values.map((value) => `\`${value}\``).join(', '),
    read: (raw) => {
      if (unset(raw)) return options.default;
      const found = options.values.find((value) => value === raw);
      if (found === undefined) throw new Error(`must be one of ${options.values.join(', ')}, not "${raw}"`);
      return found;
    },
  };
}

/** Any text, without white space around it; `default` may be undefined for an optional variable. */
export function text<T extends string | undefined>(
  name: string,
  options: Common & { readonly default: T; readonly defaultText?: string },
): Descriptor<string | T> {
  return {
    name,
    text: options.text,
    defaultText: options.defaultText ?? (options.default === undefined ? 'none' : `\`${options.default}\``),
    format: 'text',
    read: (raw) => (unset(raw) ? options.default : raw.trim()),
  };
}

/** Minimum length of a key, in characters. */
export const MIN_KEY_LENGTH = 32;

/**
 * Secret keys, newest first, separated by commas; undefined when not set. Errors never repeat the value.
 */
export function keys(name: string, options: Common): Descriptor<readonly string[] | undefined> {
  return {
    name,
    text: options.text,
    defaultText: 'made at first start in `DATA_DIR/secrets.json`',
    format: `text of at least ${MIN_KEY_LENGTH} characters, or several of them separated by commas`,
    isSecret: true,
    read: (raw) => {
      if (unset(raw)) return undefined;
      const given = raw.split(',').map((part) => part.trim());
      if (given.some((key) => key.length < MIN_KEY_LENGTH)) {
        const which = given.length > 1 ? ' in each of its keys (a comma separates keys)' : '';
        throw new Error(`must have at least ${MIN_KEY_LENGTH} characters${which}`);
      }
      if (new Set(given).size < given.length) throw new Error('must not hold the same key twice');
      return given;
    },
  };
}

/**
 * A URL with one of the given protocols; white space around it and a trailing slash are removed.
 * @param options.isBase other paths are appended to it, so it has no query and no fragment
 */
export function url(
  name: string,
  options: Common & {
    readonly protocols: readonly string[];
    readonly defaultText?: string;
    readonly isBase?: true;
  },
): Descriptor<string | undefined> {
  const starts = options.protocols.map((protocol) => `${protocol}//`);
  const format = `address beginning with ${starts.map((start) => `\`${start}\``).join(' or ')}${options.isBase ? ', without `?` and `#`' : ''}`;
  return {
    name,
    text: options.text,
    defaultText: options.defaultText ?? 'none',
    format,
    read: (raw) => {
      if (unset(raw)) return undefined;
      const given = raw.trim();
      const isWhole = starts.some((start) => given.toLowerCase().startsWith(start)) && URL.canParse(given);
      if (!isWhole || (options.isBase && /[?#]/.test(given))) {
        // The value may contain a password, so it is not repeated.
        throw new Error(`must be an ${format.replaceAll('`', '')}`);
      }
      return given.replace(/\/+$/, '');
    },
  };
}

/** URLs with one of the given protocols, separated by commas; empty when not set. Errors never repeat the value. */
export function urls(
  name: string,
  options: Common & { readonly protocols: readonly string[] },
): Descriptor<readonly string[]> {
  const one = url(name, options);
  return {
    name,
    text: options.text,
    defaultText: one.defaultText,
    format: `${one.format}, or several of them separated by commas`,
    read: (raw) => {
      if (unset(raw)) return [];
      return raw.split(',').map((part) => {
        if (unset(part)) throw new Error('must hold an address between any two commas');
        return one.read(part.trim())!;
      });
    },
  };
}

/** Integers in a closed range, separated by commas; at least one. */
export function integers(
  name: string,
  options: Common & { readonly default: readonly number[]; readonly min: number; readonly max: number },
): Descriptor<readonly number[]> {
  const each = integer(name, { ...options, default: options.min });
  return {
    name,
    text: options.text,
    defaultText: `\`${options.default.join(',')}\``,
    format: `whole numbers from ${options.min} to ${options.max}, separated by commas`,
    read: (raw) => {
      if (unset(raw)) return options.default;
      return raw.split(',').map((part) => {
        if (unset(part)) throw new Error(`must be whole numbers separated by commas, not "${raw}"`);
        return each.read(part);
      });
    },
  };
}

/** Networks in CIDR notation, separated by commas; empty when not set. */
export function networks(name: string, options: Common): Descriptor<readonly string[]> {
  const format = 'networks such as `127.0.0.0/8,fd00::/8`';
  return {
    name,
    text: options.text,
    defaultText: 'none',
    format,
    read: (raw) => {
      if (unset(raw)) return [];
      const given = raw.split(',').map((part) => part.trim());
      const wrong = given.find((network) => !ipaddr.isValidCIDR(network));
      if (wrong !== undefined)
        throw new Error(`must be ${format.replaceAll('`', '')}; "${wrong}" is not a valid network`);
      return given;
    },
  };
}

/** Origins of pages, separated by commas, or `*` alone for all; empty when not set. */
export function origins(name: string, options: Common): Descriptor<readonly string[]> {
  const format = 'origins such as `https://app.example,https://www.app.example`, or `*`';
  return {
    name,
    text: options.text,
    defaultText: 'none',
    format,
    read: (raw) => {
      if (unset(raw)) return [];
      const given = raw.split(',').map((part) => part.trim());
      if (given.includes('*') && given.length > 1)
        throw new Error('is either `*` or a list of origins, not both');
      return given.map((part) => {
        if (part === '*') return part;
        const address = URL.canParse(part) ? new URL(part) : undefined;
        // Browsers send origins without a path, so an origin with a path would never match.
        if (
          address === undefined ||
          !/^https?:$/.test(address.protocol) ||
          address.href !== `${address.origin}/`
        ) {
          throw new Error(`must be ${format.replaceAll('`', '')}; "${part}" is not a valid origin`);
        }
        return address.origin;
      });
    },
  };
}
