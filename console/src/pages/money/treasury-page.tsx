import type { Treasury } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import { useMay } from '../../session/session-context.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { PartsPage } from '../../ui/parts-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime, Time } from '../../ui/time.js';
import { MasterOnly } from './master-only.js';
import { MoneyTabs } from './money-tabs.js';

/** The platform reads the balances at this pace. */
const everyMs = 30_000;

export function TreasuryPage() {
  return useMay('master') ? <TreasuryParts /> : <MasterOnly />;
}

function TreasuryParts() {
  const query = useRead(['operations.getTreasury'], (api) => api.operations.getTreasury(), { everyMs });
  return (
    <PartsPage title="Money" tabs={<MoneyTabs />} request={{ operation: 'operations.getTreasury' }}>
      <QueryView query={query}>{(treasury) => <TreasuryView treasury={treasury} />}</QueryView>
    </PartsPage>
  );
}

type Holding = Treasury['holdings'][number];

function TreasuryView({ treasury }: { readonly treasury: Treasury }) {
  const { address, platformAddress, readAt, holdings, channels, lowBelow, isLow, caps, openTransaction, walletsWaiting } =
    treasury;
  return (
    <>
      <Section title="Treasury" actions={isLow === true ? <StatusBadge status="LOW" tone="bad" /> : undefined}>
        <Facts
          facts={[
            { label: 'Address', value: <IdLink id={address} /> },
            { label: 'Address for fees', value: <IdLink id={platformAddress} /> },
            ...holdings.map(({ asset, amount }) => ({ label: asset, value: <Money amount={amount} /> })),
            { label: 'Low below', value: <Money amount={lowBelow} currency="USDC" /> },
            { label: 'Read', value: <RelativeTime at={readAt} none="not yet" /> },
            { label: 'Wallets that wait', value: walletsWaiting },
          ]}
        />
      </Section>
      {openTransaction === null ? null : (
        <Section title="Transaction that is not decided yet">
          <Facts
            facts={[
              { label: 'Hash', value: <IdLink id={openTransaction.hash} /> },
              { label: 'Purpose', value: openTransaction.purpose },
              { label: 'Valid until', value: <Time at={openTransaction.validUntil} /> },
            ]}
          />
        </Section>
      )}
      <Section title="Spending within an hour" isFlush>
        <DataTable
          label="Spending within an hour"
          columns={capColumns}
          rows={caps}
          keyOf={({ name }) => name}
          empty={<NoCaps />}
        />
      </Section>
      <Section title="Channels" isFlush>
        <DataTable
          label="Channels"
          columns={channelColumns}
          rows={channels}
          keyOf={(channel) => channel.address}
          empty={<EmptyState title="No channels">The treasury sends its transactions itself.</EmptyState>}
        />
      </Section>
    </>
  );
}

function NoCaps() {
  return <EmptyState title="No caps">Nothing limits what is spent within an hour.</EmptyState>;
}

export const capColumns: readonly Column<Treasury['caps'][number]>[] = [
  { header: 'Cap', cell: ({ name }) => name },
  { header: 'Spent', cell: ({ spent }) => <Money amount={spent} />, isNumeric: true },
  { header: 'At most', cell: ({ max }) => (max === null ? 'no cap' : <Money amount={max} />), isNumeric: true },
];

const channelColumns: readonly Column<Treasury['channels'][number]>[] = [
  { header: 'Address', cell: (channel) => <IdLink id={channel.address} /> },
  { header: 'Holds', cell: (channel) => <Holdings holdings={channel.holdings} />, isNumeric: true },
];

function Holdings({ holdings }: { readonly holdings: readonly Holding[] }) {
  if (holdings.length === 0) return <span className="hf-dimmed">no account yet</span>;
  return (
    <>
      {holdings.map(({ asset, amount }) => (
        <div key={asset}>
          <Money amount={amount} currency={asset} />
        </div>
      ))}
    </>
  );
}
