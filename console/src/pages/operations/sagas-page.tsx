import type { OperationsListSagasInput, SagaRun } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useRead } from '../../data/use-read.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { RelativeTime } from '../../ui/time.js';
import { Unavailable } from '../../ui/unavailable.js';
import { OperationsTabs } from './operations-tabs.js';

const states = ['RUNNING', 'RETRYING', 'OVERDUE', 'CONTRADICTED'] as const;
const everyMs = 15_000;

const columns: readonly Column<SagaRun>[] = [
  { header: 'Run', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'Saga', cell: ({ saga }) => wordsOf(saga) },
  { header: 'About', cell: ({ aggregateId }) => <IdLink id={aggregateId} />, isMinor: true },
  { header: 'State', cell: ({ state }) => <SagaState state={state} /> },
  { header: 'Resent', cell: ({ attempts }) => attempts, isNumeric: true, isMinor: true },
  { header: 'Next retry', cell: ({ nextRetryAt }) => <RelativeTime at={nextRetryAt} />, isMinor: true },
  { header: 'Begun', cell: ({ begunAt }) => <RelativeTime at={begunAt} /> },
];

/** RUNNING is as it should be; the others need a look. */
export function SagaState({ state }: Pick<SagaRun, 'state'>) {
  if (state === 'OVERDUE' || state === 'CONTRADICTED') return <StatusBadge status={state} tone="bad" />;
  return <StatusBadge status={state} {...(state === 'RUNNING' ? { tone: 'busy' } : {})} />;
}

/** Runs of all marketplaces that have not ended. */
export function SagasPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['state', 'saga', 'aggregateId']);
  const state = choiceOf(states, values.state);
  const input: OperationsListSagasInput = {
    ...page,
    ...(state === undefined ? {} : { state }),
    ...(values.saga === undefined ? {} : { saga: values.saga }),
    ...(values.aggregateId === undefined ? {} : { aggregateId: values.aggregateId }),
  };
  const { data, error, refetch, isPlaceholderData } = useRead(
    ['operations.listSagas', input],
    (api) => api.operations.listSagas(input),
    { everyMs },
  );
  const next = data?.nextCursor ?? undefined;
  const found = data === undefined ? undefined : { records: data.runs, next: next === undefined ? undefined : { cursor: next } };
  return (
    <ListPage
      title="Operations"
      tabs={<OperationsTabs />}
      filters={
        <>
          <FilterChoice label="State" value={state} choices={states} onChange={(to) => set({ state: to })} />
          <FilterText label="Saga" value={values.saga} placeholder="fund" onChange={(saga) => set({ saga })} />
          <FilterText
            label="About"
            value={values.aggregateId}
            placeholder="ord_…"
            onChange={(aggregateId) => set({ aggregateId })}
          />
        </>
      }
    >
      <Unavailable services={data?.unavailable ?? []} />
      <PagedTable
        label="Open saga runs"
        columns={columns}
        query={{ data: found, error, isPlaceholderData, refetch }}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        empty={
          <EmptyState title="No open runs">
            Everything that was begun has ended. A run that waits longer than it should appears here by itself.
          </EmptyState>
        }
      />
    </ListPage>
  );
}
