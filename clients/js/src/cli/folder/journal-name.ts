/** The journals of this command line and of the Python one. Their lines about results are the same. */
export const JOURNAL = /^\.(?:enhance|image-enhancement)-.*\.jsonl$/;
