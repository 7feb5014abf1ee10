import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Tabs, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { CodeBlock } from '../../components/text/code-block.js';
import { snippet, SNIPPET_LABELS, type SnippetInput, type SnippetLanguage } from '../../lib/snippets.js';
import classes from './same-call.module.css';

const LANGUAGES = Object.keys(SNIPPET_LABELS) as SnippetLanguage[];

export interface SameCallProps {
  readonly input: SnippetInput;
}

/** The playground's request as code for programs. */
export function SameCall({ input }: SameCallProps) {
  return (
    <section aria-labelledby="same-call" className={classes['root']}>
      <Title order={2} id="same-call">
        {t`Do this with the API`}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>
          Set <code>API_KEY</code> to <Link to="/keys">an API key</Link> and run this.
        </Trans>
      </Text>
      <Tabs defaultValue="curl">
        <Tabs.List mb="sm">
          {LANGUAGES.map((language) => (
            <Tabs.Tab key={language} value={language}>
              {SNIPPET_LABELS[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map((language) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock
              code={snippet(language, input)}
              name={t`${SNIPPET_LABELS[language]} code`}
              copyLabel={t`Copy ${SNIPPET_LABELS[language]} code`}
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  );
}
