/** The settings of a running role, sent to the supervisor when it is ready and from there to its successor. */
export interface ServingState {
  /** For example `cpu`, or `cuda:0,cuda:1`. */
  readonly device: string;
  readonly serves: readonly ServedVersion[];
  /** Other versions that are loaded only for jobs to which they were promised, for example `upscale/1`. */
  readonly owes?: readonly string[];
}

/** A version of an operation's model, including the state of its manifest. */
export interface ServedVersion {
  readonly operation: string;
  readonly version: number;
  /** Fingerprint of the manifest, which contains the hashes of the version's files. */
  readonly fingerprint: string;
  /** The version runs only a share of new jobs. */
  readonly isCanary?: true;
  /** The version runs jobs only for comparison; customers do not get its results. */
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
      /** Whether the role supports `retire`. */
      readonly canRetire?: boolean | undefined;
    }
  /** Prefix of the tokens of all its leases. Sent before it takes a job. */
  | { readonly type: 'leases'; readonly owner: string }
  /** Asks the supervisor to replace this process. */
  | { readonly type: 'replace' }
  /** Requests the settings of the process that this one replaces. The response is `predecessor`. */
  | { readonly type: 'whose-successor' }
  /** The process does not take over, and waits to be stopped. */
  | { readonly type: 'declined'; readonly reason: string };

/** Messages from the supervisor to a role. */
export type SupervisorMessage =
  /** The database is ready: a role that was started early may continue. */
  | { readonly type: 'begin'; readonly databaseUrl: string }
  /** Null when the process replaces no live process. */
  | { readonly type: 'predecessor'; readonly standing: ServingState | null }
  /** The successor has taken over. The process exits by itself after the jobs that only it can run. */
  | { readonly type: 'retire' }
  /** The successor has not taken over, and no other one is started. */
  | { readonly type: 'stays'; readonly reason: string };
