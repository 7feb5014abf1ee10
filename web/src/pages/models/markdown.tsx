import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { ScrollRegion } from '../../components/pages/scroll-region.js';
import classes from './markdown.module.css';

export interface MarkdownProps {
  readonly text: string;
}

function ScrolledTable({ children }: { readonly children?: ReactNode }) {
  return (
    <ScrollRegion className={classes['scroll']} label={t`Table`}>
      <table>{children}</table>
    </ScrollRegion>
  );
}

function ScrolledOutput({ children }: { readonly children?: ReactNode }) {
  return (
    <ScrollRegion className={classes['scroll']} label={t`Output`}>
      <pre>{children}</pre>
    </ScrollRegion>
  );
}

/** The documentation of a model. HTML in it is shown as text and never rendered. */
export function Markdown({ text }: MarkdownProps) {
  return (
    <div className={classes['root']}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        components={{
          // One level below the headings of the page.
          h1: 'h3',
          h2: 'h4',
          h3: 'h5',
          table: ScrolledTable,
          pre: ScrolledOutput,
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
