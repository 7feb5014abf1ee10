/** The ids in samples. */
export const SAMPLE_IDS = {
  source: 'src_0193f2c4a1a07c3d8e4f5a6b7c8d9e0f',
  job: 'job_0193f2c4a1a07c3d8e4f5a6b7c8d9e10',
  batch: 'bat_0193f2c4a1a07c3d8e4f5a6b7c8d9e11',
  endpoint: 'we_0193f2c4a1a07c3d8e4f5a6b7c8d9e12',
  delivery: 'dlv_0193f2c4a1a07c3d8e4f5a6b7c8d9e13',
  upload: 'upl_0193f2c4a1a07c3d8e4f5a6b7c8d9e14',
} as const;

export const SAMPLE_SOURCE_URL = `https://images.example/files/${SAMPLE_IDS.source}.jpg?exp=1795334400&sig=5f2c4a`;

/** The signed part of a file's URL. */
export const SAMPLE_SIGNATURE = 'exp=1795334400&sig=5f2c4a';
