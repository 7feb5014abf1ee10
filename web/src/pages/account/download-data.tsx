import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../components/notices/notice.js';
import { DownloadDataModal } from './download-data-modal.js';

/** Downloads what is stored about the account. */
export function DownloadData() {
  const [isOpen, setIsOpen] = useState(false);
  const [isStarted, setIsStarted] = useState(false);
  return (
    <Stack gap="md" align="flex-start">
      <Text size="sm" c="dimmed">
        <Trans>
          A JSON file with what we store about this account: members, API keys, webhooks, jobs, usage and the
          activity log, without secrets. It contains no pictures. Download those on the pages{' '}
          <Link to="/photos">Photos</Link> and <Link to="/results">Results</Link>.
        </Trans>
      </Text>
      {isStarted && (
        <Notice tone="good" role="status">
          {t`Your download has started. A large account takes some minutes.`}
        </Notice>
      )}
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {t`Download data…`}
      </Button>
      {isOpen && (
        <DownloadDataModal
          onStarted={() => {
            setIsStarted(true);
            setIsOpen(false);
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Stack>
  );
}
