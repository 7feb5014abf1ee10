import classes from './code-block.module.css';
import { CopyButton } from './copy-button.js';
import { ScrollRegion } from '../pages/scroll-region.js';

export interface CodeBlockProps {
  /** The text that is copied. */
  readonly code: string;
  /** The text that is shown, if it differs. */
  readonly shown?: string;
  /** The label of the copy button: "Copy curl command". */
  readonly label: string;
}

/** Code that users can read and copy. Scrolls horizontally, and is reachable with the keyboard. */
export function CodeBlock({ code, shown = code, label }: CodeBlockProps) {
  return (
    <div className={classes['root']}>
      <div className={classes['copy']}>
        <CopyButton text={code} label={label} />
      </div>
      <ScrollRegion className={classes['code']} label={label.replace(/^Copy /, '')}>
        <pre>
          <code>{shown}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}
