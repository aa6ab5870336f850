import type { Statement, StatementLine } from '@holdfast/sdk';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { Money } from '../../ui/money.js';
import { Pager } from '../../ui/paged-table.js';
import { wordsOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';

type StatementViewProps = {
  readonly statement: Statement;
  readonly isFirst: boolean;
  readonly turnTo: (cursor: string | undefined) => void;
};

export function StatementView({ statement, isFirst, turnTo }: StatementViewProps) {
  const { opening, closing, totals, currency, lines, isComplete, nextCursor } = statement;
  return (
    <>
      <div className="hf-statement-totals">
        <Facts
          facts={[
            { label: 'Opening', value: <Money amount={opening.available} currency={currency} /> },
            { label: 'In', value: <Money amount={totals.in} currency={currency} /> },
            { label: 'Out', value: <Money amount={totals.out} currency={currency} /> },
            { label: 'Closing', value: <Money amount={closing.available} currency={currency} /> },
            { label: 'Reserved at the end', value: <Money amount={closing.reserved} currency={currency} /> },
            { label: 'Fees kept by the platform', value: <Money amount={totals.fees} currency={currency} /> },
          ]}
        />
        {isComplete ? null : (
          <p className="hf-notice">
            This period is not over, or something that began in it is still running: lines may be added.
          </p>
        )}
      </div>
      <DataTable
        label="Lines of the statement"
        columns={columns}
        rows={lines}
        keyOf={({ transferId, at }) => `${transferId} ${at}`}
        empty={<EmptyState title="Nothing happened in this period">Choose another one above.</EmptyState>}
      />
      <Pager label="the statement" isFirst={isFirst} next={nextCursor ?? undefined} turnTo={turnTo} />
    </>
  );
}

const columns: readonly Column<StatementLine>[] = [
  { header: 'At', cell: ({ at }) => <Time at={at} /> },
  {
    header: 'What',
    cell: ({ type, description }) => (
      <>
        {wordsOf(type)}
        <div className="hf-dimmed hf-clip">{description}</div>
      </>
    ),
  },
  { header: 'About', cell: aboutOf, isMinor: true },
  { header: 'Amount', cell: ({ amount }) => <Money amount={amount} isSigned />, isNumeric: true },
  { header: 'Available', cell: ({ available }) => <Money amount={available} />, isNumeric: true, isMinor: true },
  { header: 'Reserved', cell: ({ reserved }) => <Money amount={reserved} />, isNumeric: true, isMinor: true },
];

function aboutOf({ orderId, topupId, withdrawalId }: StatementLine) {
  const id = orderId ?? topupId ?? withdrawalId;
  return id === null ? '—' : <IdLink id={id} />;
}
