/** Which version of an operation serves, as an operator chose it. */
export interface VersionChoice {
  readonly operation: string;
  /** Null: the highest valid version. */
  readonly serving: number | null;
  /** What served before; null when unknown. */
  readonly previous: number | null;
}

/** The chosen version by operation. */
export type ChosenVersions = ReadonlyMap<string, number>;

export function chosenVersions(
  choices: readonly Pick<VersionChoice, 'operation' | 'serving'>[],
): ChosenVersions {
  return new Map(
    choices.flatMap(({ operation, serving }) => (serving === null ? [] : [[operation, serving] as const])),
  );
}

/** As heartbeats return them, for example `upscale/2`. */
export function namesOf(chosen: ChosenVersions): readonly string[] {
  return [...chosen].map(([operation, version]) => `${operation}/${version}`);
}
