import { useIsSandbox } from '../../data/use-is-sandbox.js';
import { may, useSession, type Scope } from '../../session/session-context.js';
import { Icon } from '../../ui/icon.js';
import { TabLinks } from '../../ui/tab-links.js';

const tabs: readonly { readonly label: string; readonly path: string; readonly scope: Scope }[] = [
  { label: 'Webhooks', path: '/developers', scope: 'read' },
  { label: 'API keys', path: '/developers/keys', scope: 'support' },
];
const sandboxTab = { label: 'Sandbox', path: '/developers/sandbox', scope: 'write' } as const;

export function DevelopersTabs() {
  const { me } = useSession();
  const isSandbox = useIsSandbox();
  const all = isSandbox ? [...tabs, sandboxTab] : tabs;
  return <TabLinks label="Developers" tabs={all.filter(({ scope }) => may(me, scope))} />;
}

/** Reference and guides are served by the same gateway, outside of the console. */
export function DocumentLinks() {
  return (
    <>
      <DocumentLink address="/docs/guides">Guides</DocumentLink>
      <DocumentLink address="/docs">API reference</DocumentLink>
    </>
  );
}

function DocumentLink({ address, children }: { readonly address: string; readonly children: string }) {
  return (
    <a className="hf-reference" href={address} target="_blank" rel="noopener">
      {children} <Icon name="external" size={13} />
    </a>
  );
}
