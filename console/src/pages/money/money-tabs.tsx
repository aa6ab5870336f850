import { may, useSession, type Scope } from '../../session/session-context.js';
import { TabLinks } from '../../ui/tab-links.js';

const tabs: readonly { readonly label: string; readonly path: string; readonly scope: Scope }[] = [
  { label: 'Top-ups', path: '/money', scope: 'read' },
  { label: 'Withdrawals', path: '/money/withdrawals', scope: 'read' },
  { label: 'Cases', path: '/money/cases', scope: 'support' },
  { label: 'Reconciliation', path: '/money/reports', scope: 'master' },
  { label: 'Proof', path: '/money/proof', scope: 'master' },
  { label: 'Treasury', path: '/money/treasury', scope: 'master' },
];

export function MoneyTabs() {
  const { me } = useSession();
  return <TabLinks label="Money" tabs={tabs.filter(({ scope }) => may(me, scope))} />;
}
