import type { AuditEntry } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { useMay } from '../../session/session-context.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { JsonButton } from '../../ui/json-button.js';
import { ListPage } from '../../ui/list-page.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { reasonText, spokenOf } from '../../ui/status-words.js';
import { Time } from '../../ui/time.js';
import { AuditProofButton } from './audit-proof-button.js';
import { EventsTabs } from './events-tabs.js';

const results = ['SUCCESS', 'FAILURE'] as const;

const columns: readonly Column<AuditEntry>[] = [
  { header: 'At', cell: ({ occurredAt }) => <Time at={occurredAt} /> },
  { header: 'Action', cell: ({ action }) => <strong className="hf-event-type">{spokenOf(action)}</strong> },
  { header: 'About', cell: ({ resourceId }) => <IdLink id={resourceId} /> },
  { header: 'By', cell: ({ actorId }) => <IdLink id={actorId} />, isMinor: true },
  { header: 'Result', cell: ({ result }) => <StatusBadge status={result} />, isMinor: true },
  {
    header: 'Why',
    cell: ({ reason }) => <span className="hf-clip">{reason === null ? '—' : reasonText(reason)}</span>,
    isMinor: true,
  },
  { header: 'Content', cell: (entry) => <JsonButton value={entry} title={spokenOf(entry.action)} />, isMinor: true },
];

const names = ['action', 'resourceType', 'resourceId', 'actorId', 'result'] as const;

/** The audit trail: who has done what. */
export function AuditPage() {
  const { values, page, cursor, set, turnTo } = useFilters(names);
  const isMaster = useMay('master');
  const { result: given, ...texts } = values;
  const result = choiceOf(results, given);
  const input = { ...texts, ...page, ...(result === undefined ? {} : { result }) };
  const query = useListPage(['audit.listEntries', input], (api) => api.audit.listEntries(input));
  return (
    <ListPage
      title="Events"
      tabs={<EventsTabs />}
      actions={isMaster ? <AuditProofButton /> : undefined}
      filters={
        <>
          <FilterText label="Action" value={values.action} placeholder="ORDER_CREATED" onChange={(action) => set({ action })} />
          <FilterText
            label="About"
            value={values.resourceId}
            placeholder="ord_…"
            onChange={(resourceId) => set({ resourceId })}
          />
          <FilterText label="By" value={values.actorId} placeholder="key_…" onChange={(actorId) => set({ actorId })} />
          <FilterChoice label="Result" value={result} choices={results} onChange={(next) => set({ result: next })} />
        </>
      }
    >
      <PagedTable
        label="Audit entries"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={12}
        empty={<EmptyState title="No entries">Every change of the marketplace is recorded here, also refused ones.</EmptyState>}
      />
    </ListPage>
  );
}
