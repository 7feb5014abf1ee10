import type { Refusal } from '../../repository/catalog.js';
import type { ModelVersion } from '../../repository/model-version.js';
import { SPECIFIED_OPERATIONS } from '../../../kernel/operations.js';
import type { OperationVersion } from '../../repository/model-promise.js';
import type { ServedVersion, ServingState } from '../../../roles/role-messages.js';

/** A worker that could take over from another. */
export interface Candidate {
  readonly serves: readonly ServedVersion[];
  /** See `ServingState`. */
  readonly owes?: readonly string[] | undefined;
  readonly refusals: readonly Refusal[];
  /** Refused versions whose files are missing or differ from the manifest. */
  readonly damaged: readonly Refusal[];
  /** Valid versions that did not load together with the others. */
  readonly leftOut: readonly ModelVersion[];
  /** Versions that were promised to unfinished jobs. */
  readonly promised: readonly OperationVersion[];
}

/**
 * Why a worker must not take over from the previous one: it would not serve something that the previous one runs,
 * because it refused or left out a version. A version that an operator removed intentionally is no reason. Neither is a
 * version with damaged files if this worker runs another version of its operation, because no worker can load the
 * damaged one again.
 * @returns null when it may take over; otherwise a text that completes "it did not take over: "
 */
export function takeoverObjection(before: ServingState, candidate: Candidate): string | null {
  const lost = before.serves.filter((served) => isLost(served, candidate)).map(({ operation }) => operation);
  const why = candidate.refusals.map(({ message }) => message).join(' ');
  if (lost.length > 0) return `${lost.join(', ')} would be lost. ${why}`.trim();
  const owed = candidate.leftOut.find(({ manifest, version }) =>
    candidate.promised.some((one) => one.operation === manifest.operation && one.version === version),
  );
  if (owed !== undefined)
    return `jobs assigned to ${owed.manifest.operation}/${owed.version} wait, and it does not load here. ${why}`.trim();
  const owesNoMore = (candidate.owes ?? []).every((name) => before.owes?.includes(name) === true);
  const isSame = owesNoMore && textOf(before.serves) === textOf(candidate.serves);
  return isSame && candidate.refusals.length > 0 ? `it would serve nothing else. ${why}` : null;
}

function isLost(
  { operation, version, isCanary, isShadow }: ServedVersion,
  { serves, refusals, damaged }: Candidate,
): boolean {
  // Jobs of a canary may run on the serving version, and a shadow has no jobs.
  if (isCanary === true || isShadow === true) return false;
  const refused = refusals.filter((refusal) => refusal.operation === operation);
  if (refused.some((refusal) => refusal.version === String(version) && !damaged.includes(refusal)))
    return true;
  if (serves.some((served) => served.operation === operation)) return false;
  return refused.length > 0 || SPECIFIED_OPERATIONS.some((name) => name === operation);
}

function textOf(serves: readonly ServedVersion[]): string {
  return serves
    .map(
      ({ operation, version, fingerprint, isCanary, isShadow }) =>
        `${operation}/${version} ${fingerprint} ${isCanary === true} ${isShadow === true}`,
    )
    .toSorted()
    .join();
}

/** Best first, in the order in which `auto` tries them. */
const PROVIDERS = ['tensorrt', 'cuda', 'webgpu', 'cpu'];

/** Whether devices such as `cuda:0,cuda:1` are of a slower kind than others. Compares the slowest device of each. */
export function isSlowerDevice(device: string, than: string): boolean {
  return rankOf(device) > rankOf(than);
}

function rankOf(device: string): number {
  return Math.max(...device.split(',').map((one) => PROVIDERS.indexOf(one.split(':')[0]!)));
}
