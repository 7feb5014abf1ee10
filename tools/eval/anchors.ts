/** A published result for the same data set and measure. */
export interface Anchor {
  readonly name: string;
  readonly value: number;
}

/**
 * Published results for comparison. Y-PSNR with MATLAB's bicubic: from the tables of VDSR (Kim et al. 2016), FSRCNN
 * (Dong et al. 2016), ESPCN (Shi et al. 2016), and IMDN (Hui et al. 2019). SOD: maxF of sal_eval_toolbox on the full
 * set; ../shared/data contains a part of it. FiveK: image-adaptive 3D LUT (Zeng et al. 2020), expert C.
 */
const ANCHORS: Readonly<Record<string, readonly Anchor[]>> = {
  'Set5 ×2': [
    { name: 'ESPCN', value: 36.83 },
    { name: 'FSRCNN', value: 37.0 },
    { name: 'VDSR', value: 37.53 },
  ],
  'Set5 ×4': [
    { name: 'ESPCN', value: 30.52 },
    { name: 'FSRCNN', value: 30.7 },
    { name: 'VDSR', value: 31.35 },
    { name: 'IMDN', value: 32.21 },
  ],
  'SOD maxF': [
    { name: 'Amulet', value: 0.806 },
    { name: 'PiCANet', value: 0.839 },
    { name: 'DSS', value: 0.844 },
  ],
  FiveK: [{ name: '3D LUT', value: 25.2 }],
};

/** Published results for a data set; empty when none are known. */
export function anchorsOf(set: string): readonly Anchor[] {
  return ANCHORS[set] ?? [];
}
