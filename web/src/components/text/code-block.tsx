import classes from './code-block.module.css';
import { CopyButton } from './copy-button.js';
import { ScrollRegion } from '../pages/scroll-region.js';

export interface CodeBlockProps {
  /** The text that is copied. */
  readonly code: string;
  /** The text that is shown, if it differs. */
  readonly shown?: string;
  /** What the code is, for screen readers: "Headers". */
  readonly name: string;
  /** The label of the copy button: "Copy headers". */
  readonly copyLabel: string;
}

/** Code that users can read and copy. Scrolls horizontally, and is reachable with the keyboard. */
export function CodeBlock({ code, shown = code, name, copyLabel }: CodeBlockProps) {
  return (
    <div className={classes['root']}>
      <div className={classes['copy']}>
        <CopyButton text={code} label={copyLabel} />
      </div>
      <ScrollRegion className={classes['code']} label={name}>
        <pre>
          <code>{shown}</code>
        </pre>
      </ScrollRegion>
    </div>
  );
}
