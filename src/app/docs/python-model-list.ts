/** One dataclass of the Python client. */
export interface PythonModel {
  readonly name: string;
  /** The model's component in the OpenAPI document. */
  readonly schema: string;
  /** Components with the same fields and more, which some responses contain instead. */
  readonly extended?: readonly string[];
  /** Required fields that earlier versions of the service do not send. */
  readonly later?: readonly string[];
  readonly doc: string;
  /** A hand-written base class in `_models/mixins.py`. */
  readonly base?: string;
  /** Whether the model keeps the JSON from which it was created. */
  readonly hasRaw?: boolean;
  /** A field that some responses lack although the schema requires it; `repr` omits it. */
  readonly secret?: string;
  /** Moves the first field before the second: the field order is part of the client's API. */
  readonly before?: readonly [string, string];
  readonly rename?: Readonly<Record<string, string>>;
}

/** Ordered so that each model comes after those that it contains. */
export const PYTHON_MODELS: readonly PythonModel[] = [
  { name: 'JobCrop', schema: 'JobCrop', doc: 'The part of a picture that a result shows, in pixels.' },
  { name: 'AppliedShadow', schema: 'AppliedShadow', doc: 'A shadow, in pixels.' },
  {
    name: 'AppliedOutput',
    schema: 'AppliedOutput',
    doc: 'What was done to a result besides its operations.',
  },
  {
    name: 'JobShadow',
    schema: 'JobShadow',
    doc: "A shadow; lengths are shares of the subject's longer side.",
  },
  { name: 'JobResult', schema: 'JobResult', doc: 'The result of a completed job.' },
  { name: 'JobError', schema: 'JobError', doc: 'Why a job has failed.' },
  {
    name: 'JobOutput',
    schema: 'JobOutput',
    doc: 'What becomes of the result; options are None unless requested. ``background`` is a color (#rrggbb) or a mapping.',
  },
  { name: 'JobModel', schema: 'JobModel', doc: 'The model that served a job.' },
  { name: 'JobTimings', schema: 'JobTimings', doc: 'Durations in milliseconds.' },
  { name: 'JobOperationTimings', schema: 'JobOperationTimings', doc: 'Durations in milliseconds.' },
  { name: 'JobOperation', schema: 'JobOperation', doc: 'One operation of a job, with what served it.' },
  {
    name: 'Job',
    schema: 'Job',
    later: ['livemode'],
    doc: 'An enhancement job. ``progress`` is from 0 to 1.',
    base: 'Ending',
    hasRaw: true,
  },
  { name: 'BatchCounts', schema: 'BatchCounts', doc: 'How many items of a batch are in each state.' },
  { name: 'BatchFailure', schema: 'BatchFailure', doc: 'A failed item of a batch.' },
  { name: 'SkippedItem', schema: 'SkippedItem', doc: 'An item of a batch that got no job.' },
  {
    name: 'Batch',
    schema: 'Batch',
    extended: ['BatchDetail', 'BatchWithSkipped'],
    later: ['livemode'],
    doc: 'The same request for several sources. ``failures`` is set by ``batches.get``, ``skipped`` by ``create`` and ``retry``.',
    base: 'BatchEnding',
    hasRaw: true,
  },
  {
    name: 'BatchDryRun',
    schema: 'BatchDryRun',
    doc: 'What a batch would do. Nothing was created.',
    hasRaw: true,
  },
  { name: 'DryRun', schema: 'DryRun', doc: 'What a job would do. Nothing was created.', hasRaw: true },
  {
    name: 'Source',
    schema: 'Source',
    doc: 'An uploaded image; ``url`` is what jobs are made from.',
    hasRaw: true,
    before: ['id', 'url'],
  },
  { name: 'Operation', schema: 'Operation', doc: 'An operation that the service offers.', hasRaw: true },
  {
    name: 'Usage',
    schema: 'Usage',
    doc: "The account's plan, its limits and what is used of them.",
    hasRaw: true,
    rename: { enhancements_resets_at: 'enhancements_reset_at' },
  },
  {
    name: 'Endpoint',
    schema: 'EndpointWithSecret',
    doc: 'An address that events are sent to; ``secret`` is set only after creation and rotation.',
    hasRaw: true,
    secret: 'secret',
    before: ['secret', 'created_at'],
  },
  {
    name: 'CallbackSecret',
    schema: 'NewCallbackSecret',
    doc: 'The secret that signs calls to callback URLs; ``secret`` is set only after rotation.',
    hasRaw: true,
    secret: 'secret',
  },
  { name: 'Attempt', schema: 'Attempt', doc: 'One attempt at a delivery.' },
  { name: 'Delivery', schema: 'Delivery', doc: 'An event on its way to an endpoint.', hasRaw: true },
  { name: 'EventType', schema: 'EventType', doc: 'A type of event.' },
];
