import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { useSession } from '../../api/session/session.js';

/** How a user without a password, such as one of an OpenID provider, sets one. */
export function NoPassword() {
  const session = useSession().data;
  return (
    <Text size="sm">
      {session?.sendsMail === false ? (
        <Trans>Your account has no password. Ask the operator of this service to set one.</Trans>
      ) : (
        <Trans>
          Your account has no password. To set one, <Link to="/forgot-password">request a link by email</Link>
          .
        </Trans>
      )}
    </Text>
  );
}
