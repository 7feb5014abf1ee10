import { createHash } from 'node:crypto';
import type { CatalogOperation } from '../repository/described-versions.js';
import type { OperationVersion } from '../repository/model-promise.js';
import type { Canary, VersionChoice } from '../repository/version-choice.js';
import type { KnownModelWorker } from './model-workers.repository.js';

/** The requester of an operation. */
export interface Requester {
  readonly accountId: string;
  /** Null or undefined without an API key. */
  readonly keyId?: string | null | undefined;
}

/** A canary that all workers of its operation have loaded. */
export interface ActiveCanary extends Canary {
  readonly operation: CatalogOperation;
}

/**
 * Whether a requester gets the canary. The answer for a requester and a version is always the same, and a requester
 * keeps the canary when the percentage grows. Another version has other requesters.
 */
export function isInCanary({ version, percent, by, operation }: ActiveCanary, requester: Requester): boolean {
  const { accountId, keyId } = requester;
  const subject = by === 'key' ? (keyId ?? accountId) : accountId;
  return isInShare({ operation: operation.operation, version }, subject, percent);
}

/**
 * Whether a subject, such as the id of an account or of a job, belongs to the share of a version. A larger share only
 * adds subjects, and another version has other subjects.
 */
export function isInShare(
  { operation, version }: OperationVersion,
  subject: string,
  percent: number,
): boolean {
  const digest = createHash('sha256').update(`${operation}/${version}/${subject}`).digest();
  return digest.readUInt32BE() < (percent / 100) * 2 ** 32;
}

/**
 * The canaries that may be promised to jobs, by operation. A canary is active only while every worker of the operation
 * has loaded it, so that a requester always gets the same version.
 */
export function activeCanaries(
  workers: readonly KnownModelWorker[],
  choices: readonly VersionChoice[],
): ReadonlyMap<string, ActiveCanary> {
  return new Map(
    choices.flatMap(({ operation, canary }) => {
      if (canary === null || workersWithout(workers, operation, canary.version).length > 0) return [];
      const loaded = workers
        .filter(isServing)
        .flatMap(loadedBy)
        .find((one) => one.operation === operation && one.model.version === canary.version);
      return loaded === undefined ? [] : [[operation, { ...canary, operation: loaded }] as const];
    }),
  );
}

/** The ids of serving workers that run an operation and have not loaded a version of it. */
export function workersWithout(
  workers: readonly KnownModelWorker[],
  operation: string,
  version: number,
): readonly string[] {
  return workers
    .filter(isServing)
    .filter(({ operations }) => operations.some((one) => one.operation === operation))
    .filter(
      (worker) =>
        !loadedBy(worker).some((one) => one.operation === operation && one.model.version === version),
    )
    .map(({ id }) => id);
}

const loadedBy = ({ canaries, operations }: KnownModelWorker): readonly CatalogOperation[] =>
  canaries.concat(operations);

const isServing = ({ alive, state }: KnownModelWorker): boolean => alive && state === 'serving';
