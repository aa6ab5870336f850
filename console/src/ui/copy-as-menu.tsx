import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { copyAs, spellingsOf, type Request } from '../data/copy-as.js';
import { useSession } from '../session/session-context.js';
import { Icon } from './icon.js';

/** Offers a request as a command or as code. To run it, you need the key in HOLDFAST_KEY. */
export function CopyAsMenu({ request }: { readonly request: Request }) {
  const { me } = useSession();
  const { copy, copied } = useClipboard();
  const [last, setLast] = useState('');
  const target = { origin: location.origin, marketplaceId: me.type === 'master' ? me.marketplaceId : undefined };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name={copied ? 'check' : 'code'} size={14} />}>
          {copied ? `Copied ${last}` : 'Copy as'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {spellingsOf(request).map((spelling) => (
          <Menu.Item
            key={spelling}
            onClick={() => {
              copy(copyAs(spelling, request, target));
              setLast(spelling);
            }}
          >
            {spelling}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
