import { Link } from 'wouter';
import type { LedgerProof, ReconciliationReport } from '@holdfast/sdk';
import { unitsOf } from '../../data/format-amount.js';
import { useListPage, useRead } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Money } from '../../ui/money.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { RelativeTime } from '../../ui/time.js';

/** The platform makes reports without publishing events. */
const everyMs = 60_000;
const casesMax = 100;

/** Whether the books hold, and what the platform has against what it owes. Only for the master key. */
export function Solvency() {
  const query = useRead(['operations.getLedgerProof'], (api) => api.operations.getLedgerProof(), { everyMs });
  return (
    <Section title="Books and solvency" isFlush actions={<OpenCases />}>
      <QueryView query={query} lines={3}>
        {(proof) => (
          <>
            <Soundness proof={proof} />
            <DataTable
              label="Newest reconciliation reports"
              columns={columns}
              rows={proof.reports}
              keyOf={({ id }) => id}
              empty={<EmptyState title="No report yet">The first one is made within minutes after the start.</EmptyState>}
            />
          </>
        )}
      </QueryView>
    </Section>
  );
}

function Soundness({ proof: { isSound, ledger } }: { readonly proof: LedgerProof }) {
  return (
    <p className="hf-inset">
      {isSound === true ? <StatusBadge status="sound" tone="good" /> : null}
      {isSound === false ? <StatusBadge status="not sound" tone="bad" /> : null}
      {isSound === null ? <StatusBadge status="not proved yet" tone="warning" /> : null}{' '}
      {ledger === null ? null : (
        <span className="hf-dimmed">
          {ledger.transfers.toLocaleString('en')} transfers of {ledger.accounts.toLocaleString('en')} accounts, checked{' '}
          <RelativeTime at={ledger.checkedAt} />
        </span>
      )}
    </p>
  );
}

const columns: readonly Column<ReconciliationReport>[] = [
  { header: 'Currency', cell: ({ currency }) => currency },
  { header: 'Difference', cell: ({ difference }) => <Checked amount={difference} />, isNumeric: true },
  { header: 'Unexplained', cell: ({ unexplained }) => <Checked amount={unexplained} />, isNumeric: true },
  { header: 'Liabilities', cell: ({ liabilities }) => <Known amount={liabilities} />, isNumeric: true, isMinor: true },
  { header: 'Assets', cell: ({ assets }) => <Known amount={assets} />, isNumeric: true, isMinor: true },
  { header: 'Solvency', cell: ({ solvency }) => <Known amount={solvency} />, isNumeric: true, isMinor: true },
  { header: 'Report', cell: ({ at }) => <RelativeTime at={at} />, isMinor: true },
];

/** It must be zero. */
function Checked({ amount }: { readonly amount: string | null }) {
  if (amount === null || unitsOf(amount) === 0n) return <Known amount={amount} />;
  return (
    <strong className="hf-alarming">
      <Money amount={amount} />
    </strong>
  );
}

function Known({ amount }: { readonly amount: string | null }) {
  return amount === null ? <span className="hf-dimmed">unknown</span> : <Money amount={amount} />;
}

/** Cases wait for a person. */
function OpenCases() {
  const input = { status: 'OPEN', limit: casesMax } as const;
  const { data } = useListPage(['reconciliation.listCases', input], (api) => api.reconciliation.listCases(input));
  if (data === undefined) return null;
  const count = data.records.length;
  return (
    <Link href="/money/cases?status=OPEN" className={count === 0 ? '' : 'hf-alarming'}>
      {data.next === undefined ? count : `More than ${casesMax}`} open {count === 1 ? 'case' : 'cases'}
    </Link>
  );
}
