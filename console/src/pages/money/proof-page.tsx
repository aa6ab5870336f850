import type { LedgerProof } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import { useMay } from '../../session/session-context.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { PartsPage } from '../../ui/parts-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';
import { Unavailable } from '../../ui/unavailable.js';
import { MasterOnly } from './master-only.js';
import { MoneyTabs } from './money-tabs.js';
import { reportColumns } from './report-columns.js';
import { NewReports } from './reports-page.js';

/** Nothing is checked by the request, and no event reports a check. */
const everyMs = 60_000;

export function ProofPage() {
  return useMay('master') ? <ProofParts /> : <MasterOnly />;
}

function ProofParts() {
  const query = useRead(['operations.getLedgerProof'], (api) => api.operations.getLedgerProof(), { everyMs });
  return (
    <PartsPage title="Money" tabs={<MoneyTabs />} request={{ operation: 'operations.getLedgerProof' }}>
      <QueryView query={query}>{(proof) => <ProofView proof={proof} />}</QueryView>
    </PartsPage>
  );
}

function ProofView({ proof: { isSound, ledger, reports, unavailable } }: { readonly proof: LedgerProof }) {
  return (
    <>
      <Unavailable services={unavailable} />
      <Section title="The books" actions={<SoundBadge isSound={isSound} />}>
        {ledger === null ? (
          <EmptyState title="Not checked yet">The first check of the ledger follows within a minute of its start.</EmptyState>
        ) : (
          <Facts
            facts={[
              { label: 'Every rule holds', value: <SoundBadge isSound={ledger.isSound} /> },
              { label: 'Checked', value: <Time at={ledger.checkedAt} /> },
              { label: 'Transfers', value: ledger.transfers },
              { label: 'Accounts', value: ledger.accounts },
              { label: 'Discrepancies', value: ledger.discrepancies.length },
            ]}
          />
        )}
        <p className="hf-hint">
          The platform checks its books regularly. To check them now, run <code>npm run verify-ledger</code> where it is
          installed.
        </p>
      </Section>
      {ledger === null || ledger.discrepancies.length === 0 ? null : (
        <Section title="Discrepancies" isFlush>
          <DataTable
            label="Discrepancies"
            columns={discrepancyColumns}
            rows={ledger.discrepancies}
            keyOf={({ rule, subject }) => `${rule} ${subject}`}
            empty={null}
          />
        </Section>
      )}
      {ledger === null ? null : (
        <Section title="Totals of the journal" isFlush>
          <DataTable
            label="Totals of the journal"
            columns={bookColumns}
            rows={ledger.books}
            keyOf={({ book, currency }) => `${book} ${currency}`}
            empty={<EmptyState title="An empty journal">No money had moved when the books were checked.</EmptyState>}
          />
        </Section>
      )}
      <Section title="Newest reconciliation" isFlush actions={<NewReports />}>
        <DataTable
          label="Newest reconciliation"
          columns={reportColumns}
          rows={reports}
          keyOf={({ id }) => id}
          empty={<EmptyState title="No reports yet">The platform makes them regularly.</EmptyState>}
        />
      </Section>
    </>
  );
}

function SoundBadge({ isSound }: { readonly isSound: boolean | null }) {
  if (isSound === null) return <StatusBadge status="NOT_PROVED" tone="quiet" />;
  return <StatusBadge status={isSound ? 'SOUND' : 'BROKEN'} tone={isSound ? 'good' : 'bad'} />;
}

type Check = NonNullable<LedgerProof['ledger']>;

const discrepancyColumns: readonly Column<Check['discrepancies'][number]>[] = [
  { header: 'Rule', cell: ({ rule }) => rule },
  { header: 'Subject', cell: ({ subject }) => <code>{subject}</code> },
  { header: 'Expected', cell: ({ expected }) => expected, isNumeric: true },
  { header: 'Found', cell: ({ found }) => found, isNumeric: true },
];

const bookColumns: readonly Column<Check['books'][number]>[] = [
  { header: 'Book', cell: ({ book }) => wordsOf(book) },
  { header: 'Amount', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />, isNumeric: true },
];
