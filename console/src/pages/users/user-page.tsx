import type { User } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import type { PageProps } from '../../page-props.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { JsonView } from '../../ui/json-view.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { TabLinks } from '../../ui/tab-links.js';
import { Time } from '../../ui/time.js';
import { Balances } from './balances.js';
import { History } from './history.js';
import { PaymentsOfUser } from './payments-of-user.js';
import { Reservations } from './reservations.js';
import { StatementSection } from './statement-section.js';
import { UserActions } from './user-actions.js';
import { OrdersOfUser } from './orders-of-user.js';
import { WalletSection } from './wallet-section.js';

export function UserPage({ params: { id = '', part = '' } }: PageProps) {
  const query = useRead(['users.get', id], (api) => api.users.get(id));
  return (
    <QueryView query={query} lines={14}>
      {(user) => <UserView {...{ user, part }} />}
    </QueryView>
  );
}

function UserView({ user, part }: { readonly user: User; readonly part: string }) {
  const { id, externalUserId, status } = user;
  const tabs = [
    { label: 'Balance', path: `/users/${id}` },
    { label: 'Orders', path: `/users/${id}/orders` },
    { label: 'Payments', path: `/users/${id}/payments` },
    { label: 'Statement', path: `/users/${id}/statement` },
    { label: 'Wallet', path: `/users/${id}/wallet` },
    { label: 'Details', path: `/users/${id}/details` },
  ];
  return (
    <ObjectPage
      kind="User"
      id={id}
      title={externalUserId}
      badge={<StatusBadge status={status} />}
      actions={<UserActions user={user} />}
      request={{ operation: 'users.get', params: [id] }}
    >
      <TabLinks label="Parts of the user" tabs={tabs} />
      <Part {...{ user, part }} />
    </ObjectPage>
  );
}

function Part({ user, part }: { readonly user: User; readonly part: string }) {
  switch (part) {
    case '':
      return (
        <>
          <Balances userId={user.id} />
          <History userId={user.id} />
          <Reservations userId={user.id} />
        </>
      );
    case 'orders':
      return <OrdersOfUser userId={user.id} />;
    case 'payments':
      return <PaymentsOfUser userId={user.id} />;
    case 'statement':
      return <StatementSection userId={user.id} />;
    case 'wallet':
      return <WalletSection userId={user.id} />;
    case 'details':
      return <Details user={user} />;
    default:
      return <EmptyState title="This part does not exist">Choose one above.</EmptyState>;
  }
}

function Details({ user }: { readonly user: User }) {
  const { email, type, paymentAccountUserId, ledgerAddress, metadata, createdAt, updatedAt } = user;
  return (
    <>
      <Section title="Details">
        <Facts
          facts={[
            { label: 'E-mail address', value: email },
            { label: 'Role', value: wordsOf(type) },
            {
              label: 'Payment account',
              value: paymentAccountUserId === null ? 'Not linked' : <IdLink id={paymentAccountUserId} />,
            },
            { label: 'Ledger address', value: ledgerAddress === null ? 'Not linked' : <IdLink id={ledgerAddress} /> },
            { label: 'Created', value: <Time at={createdAt} /> },
            { label: 'Updated', value: <Time at={updatedAt} /> },
          ]}
        />
      </Section>
      {Object.keys(metadata).length === 0 ? null : (
        <Section title="Metadata" isFlush>
          <JsonView value={metadata} label="Metadata of the user" />
        </Section>
      )}
    </>
  );
}
