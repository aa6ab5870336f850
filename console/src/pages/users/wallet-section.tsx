import type { Wallet, WalletTransaction } from '@holdfast/sdk';
import { isHoldfastError } from '@holdfast/sdk';
import { useListPage, useRead } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

/** The user's account on the ledger network, and what happened on it. */
export function WalletSection({ userId }: { readonly userId: string }) {
  const query = useRead(['wallets.get', userId], (api) => api.wallets.get(userId));
  if (isHoldfastError(query.error, 'WALLET_NOT_FOUND'))
    return (
      <Section title="Wallet">
        <EmptyState title="No wallet yet">The first deposit address or escrow of the user makes one.</EmptyState>
      </Section>
    );
  return (
    <>
      <Section title="Wallet">
        <QueryView query={query} lines={2}>
          {(wallet) => <WalletFacts wallet={wallet} />}
        </QueryView>
      </Section>
      <WalletTransactions userId={userId} />
    </>
  );
}

function WalletFacts({ wallet: { publicKey, type, provider, balances, createdAt } }: { readonly wallet: Wallet }) {
  return (
    <Facts
      facts={[
        { label: 'Address', value: <IdLink id={publicKey} /> },
        { label: 'Kind', value: type === 'INVISIBLE' ? 'Kept by the platform' : 'Kept by the user' },
        { label: 'Provider', value: provider },
        ...balances.map(({ asset, balance }) => ({ label: `On the network: ${asset}`, value: <Money amount={balance} /> })),
        { label: 'Created', value: <Time at={createdAt} /> },
      ]}
    />
  );
}

function WalletTransactions({ userId }: { readonly userId: string }) {
  const query = useListPage(['wallets.listTransactions', userId], (api) => api.wallets.listTransactions(userId));
  return (
    <Section title="On the ledger network" isFlush>
      <QueryView query={query} lines={3}>
        {({ records }) => (
          <DataTable
            label="Operations on the ledger network"
            columns={columns}
            rows={records}
            keyOf={({ id }) => id}
            empty={
              <EmptyState title="Nothing has happened on the network">Deposits and payments of escrows appear here.</EmptyState>
            }
          />
        )}
      </QueryView>
    </Section>
  );
}

const columns: readonly Column<WalletTransaction>[] = [
  { header: 'Transaction', cell: ({ hash }) => <IdLink id={hash} /> },
  { header: 'What', cell: ({ type, direction }) => `${wordsOf(type)}, ${direction.toLowerCase()}` },
  { header: 'Amount', cell: ({ amount, asset }) => <Money amount={amount} currency={asset} />, isNumeric: true },
  { header: 'At', cell: ({ createdAt }) => <Time at={createdAt} />, isMinor: true },
];
