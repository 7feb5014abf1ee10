import type { OutputDto } from '../../jobs/creation/output/output.dto.js';

export type Fault = readonly [field: string, message: string];

/** Maximum margin that remove.bg accepts: half of the subject on each side. */
const MAX_MARGIN = 50;
/** Shadow types of remove.bg. The one for the ground under cars is not supported. */
const SHADOWS: Readonly<Record<string, boolean>> = { none: false, auto: true, drop: true };
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

/** Reads the fields of a request, and collects their errors. */
export class FieldReader {
  constructor(
    private readonly fields: ReadonlyMap<string, string>,
    private readonly faults: Fault[],
  ) {}

  text(name: string): string | undefined {
    return this.fields.get(name);
  }

  refuse(field: string, message: string): void {
    this.faults.push([field, message]);
  }

  /** The value of a field that takes one of several words; undefined when the field is missing or invalid. */
  choice<T>(name: string, values: Readonly<Record<string, T>>): T | undefined {
    const text = this.fields.get(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (Object.hasOwn(values, text)) return values[text];
    const words = Object.keys(values).join(', ');
    this.refuse(name, `${name} must be one of ${words} here, not "${text.slice(0, 40)}".`);
    return undefined;
  }

  /** Reads `bg_image_url`, which cannot be combined with a color or the mask. */
  pictureUrl(isMask: boolean): string | undefined {
    const url = this.fields.get('bg_image_url');
    if (url === undefined) return undefined;
    if (isMask) this.refuse('bg_image_url', 'bg_image_url cannot be combined with channels=alpha.');
    if (this.fields.has('bg_color'))
      this.refuse('bg_image_url', 'Send either bg_color or bg_image_url, not both.');
    return url;
  }

  /** Reads `crop` and `crop_margin`, a fraction of the subject. */
  crop(): Pick<OutputDto, 'crop' | 'padding'> {
    const isCropped = this.choice('crop', BOOLEANS) ?? false;
    const margin = this.fields.get('crop_margin') ?? '0';
    const [, number, unit] = /^(\d{1,3}(?:\.\d{1,6})?)(px|%)?$/.exec(margin) ?? [];
    const percent = Number(number);
    const isKnown = number !== undefined && percent <= MAX_MARGIN && (unit === '%' || percent === 0);
    if (!isKnown)
      this.refuse('crop_margin', 'crop_margin must be one percentage from 0% to 50% here, such as 10%.');
    return isCropped ? { crop: 'subject', padding: percent / 100 } : {};
  }

  /** Reads `add_shadow`, or `shadow_type` from version 1.0 of remove.bg, and `shadow_opacity`. */
  shadow(): Pick<OutputDto, 'shadow'> {
    const isAdded = this.choice('add_shadow', BOOLEANS);
    const isTyped = this.choice('shadow_type', SHADOWS);
    const text = this.fields.get('shadow_opacity');
    const opacity = text === undefined ? undefined : Number(text);
    if (opacity !== undefined && !(opacity >= 0 && opacity <= 100))
      this.refuse('shadow_opacity', 'shadow_opacity must be a number from 0 to 100.');
    if (!(isTyped ?? isAdded ?? false)) return {};
    return { shadow: opacity === undefined ? true : { opacity: opacity / 100 } };
  }

  /** Reads `channels=alpha`: returns only the mask, which has neither a background nor a shadow. */
  mask(): Pick<OutputDto, 'kind'> {
    for (const name of ['bg_color', 'add_shadow', 'shadow_type'])
      if (this.fields.has(name) && !/^(false|0|none)$/i.test(this.fields.get(name)!))
        this.refuse(name, `${name} cannot be combined with channels=alpha.`);
    return { kind: 'mask' };
  }
}
