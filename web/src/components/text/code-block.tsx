import classes from './code-block.module.css';
import { CopyButton } from './copy-button.js';
import { ScrollRegion } from '../pages/scroll-region.js';

export interface CodeBlockProps {
  /** What is copied. */
  readonly code: string;
  /** What is shown, where that should differ. */
  readonly shown?: string;
  /** What the copy button copies: "Copy curl command". */
  readonly label: string;
}

/** Code to read and take along. The text scrolls inside, reachable with the keyboard too. */
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
