/** The settings of a running role, sent to the supervisor when it is ready and from there to its successor. */
export interface ServingState {
  /** For example `cpu`, or `cuda:0,cuda:1`. */
  readonly device: string;
  readonly serves: readonly ServedVersion[];
}

/** A version of an operation's model, including the state of its manifest. */
export interface ServedVersion {
  readonly operation: string;
  readonly version: number;
  /** Of its manifest, which contains the hashes of its files. */
  readonly fingerprint: string;
  /** Only a share of new jobs gets it. */
  readonly isCanary?: true;
  /** It runs no job for its customer. */
  readonly isShadow?: true;
}

/** Argument of a role that starts before the database: it loads its modules, then waits for `begin`. */
export const HELD = '--held';

/** Argument of a role that takes over from a running process, and so may warm up first. */
export const SUCCESSOR = '--successor';

/** Messages from a role to its supervisor. */
export type RoleMessage =
  | {
      readonly type: 'ready';
      readonly standing?: ServingState | undefined;
      /** It supports `retire`. */
      readonly canRetire?: boolean | undefined;
    }
  /** Prefix of the tokens of all its leases. Sent before it takes a job. */
  | { readonly type: 'leases'; readonly owner: string }
  /** Asks the supervisor to replace this process. */
  | { readonly type: 'replace' }
  /** Asks whom it takes over from; answered by `predecessor`. */
  | { readonly type: 'whose-successor' }
  /** It does not take over, and waits to be stopped. */
  | { readonly type: 'declined'; readonly reason: string };

/** Messages from the supervisor to a role. */
export type SupervisorMessage =
  /** The database is ready: a role that was started early may continue. */
  | { readonly type: 'begin'; readonly databaseUrl: string }
  /** Null when it replaces no living process. */
  | { readonly type: 'predecessor'; readonly standing: ServingState | null }
  /** Its successor has taken over. It exits by itself after the jobs that only it can run. */
  | { readonly type: 'retire' }
  /** Its successor has not taken over, and no other is started. */
  | { readonly type: 'stays'; readonly reason: string };
