import { t } from '@lingui/core/macro';
import { Button, Paper, PasswordInput, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { checkSignature, type SignatureFinding } from '../../lib/signature-check.js';
import { Notice } from '../../components/notices/notice.js';
import { formatDuration } from '../../lib/format.js';
import classes from './signature-checker.module.css';

/** Checks a pasted signature and explains errors. Computed in the browser, so the secret never leaves the page. */
export function SignatureChecker() {
  const [header, setHeader] = useState('');
  const [body, setBody] = useState('');
  const [secret, setSecret] = useState('');
  const [finding, setFinding] = useState<SignatureFinding | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void checkSignature({ header, body, secret, nowMs: Date.now() }).then(setFinding);
  };
  const change = (set: (text: string) => void) => (event: { currentTarget: { value: string } }) => {
    set(event.currentTarget.value);
    setFinding(null);
  };
  return (
    <Paper withBorder component="section" aria-labelledby="signature" className={classes['root']}>
      <Title order={2} id="signature">
        {t`Verify a signature`}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t`Paste what your server received. It's verified in your browser and never sent anywhere.`}
      </Text>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput
            label={t`Signature`}
            description={t`The value of the X-Service-Signature header`}
            placeholder={t`t=1790000000,v1=5f2c…`}
            classNames={{ input: classes['code'] ?? '' }}
            required
            withAsterisk={false}
            spellCheck={false}
            value={header}
            onChange={change(setHeader)}
          />
          <Textarea
            label={t`Body`}
            description={t`The raw body, exactly as received`}
            rows={7}
            classNames={{ input: classes['code'] ?? '' }}
            spellCheck={false}
            value={body}
            onChange={change(setBody)}
          />
          <PasswordInput
            label={t`Signing secret`}
            description={t`The complete secret, including whsec_`}
            autoComplete="off"
            required
            withAsterisk={false}
            value={secret}
            onChange={change(setSecret)}
            visibilityToggleButtonProps={{ 'aria-label': t`Show secret` }}
          />
          <div>
            <Button type="submit">{t`Check`}</Button>
          </div>
        </Stack>
      </form>
      <div className={classes['finding']} aria-live="polite">
        {finding?.kind === 'valid' && (
          <Notice tone={finding.isStale ? 'warn' : 'good'} title={t`The signature is valid`}>
            {finding.isStale
              ? staleText(finding.ageSeconds)
              : t`The body is unmodified and was sent by this service.`}
          </Notice>
        )}
        {finding?.kind === 'invalid' && (
          <Notice tone="bad" title={finding.reason}>
            {finding.advice}
          </Notice>
        )}
      </div>
    </Paper>
  );
}

function staleText(ageSeconds: number): string {
  const distance = formatDuration(Math.abs(ageSeconds) * 1_000);
  return ageSeconds > 0
    ? t`Its timestamp is ${distance} old. To prevent replays, reject signatures older than five minutes.`
    : t`Its timestamp is ${distance} in the future. To prevent replays, reject signatures older than five minutes.`;
}
