import type { User } from '@holdfast/sdk';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useListPage } from '../../data/use-read.js';
import { userStatuses } from '../../generated/states.js';
import type { Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { FilterChoice, FilterText } from '../../ui/filter-fields.js';
import { IdLink } from '../../ui/id-link.js';
import { ListPage } from '../../ui/list-page.js';
import { Money } from '../../ui/money.js';
import { PagedTable } from '../../ui/paged-table.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { RelativeTime } from '../../ui/time.js';

export function UsersPage() {
  const { values, page, cursor, set, turnTo } = useFilters(['externalUserId', 'email', 'status']);
  const { status: given, ...texts } = values;
  const status = choiceOf(userStatuses, given);
  const input = { ...texts, ...page, ...(status === undefined ? {} : { status }) };
  const query = useListPage(['users.list', input], (api) => api.users.list(input));
  const isFiltered = Object.keys(values).length > 0;
  return (
    <ListPage
      title="Users"
      filters={
        <>
          <FilterText
            label="Your id of the user"
            value={values.externalUserId}
            placeholder="customer-7"
            onChange={(externalUserId) => set({ externalUserId })}
          />
          <FilterText
            label="E-mail address"
            value={values.email}
            placeholder="ada@example.com"
            onChange={(email) => set({ email })}
          />
          <FilterChoice label="Status" value={status} choices={userStatuses} onChange={(next) => set({ status: next })} />
        </>
      }
    >
      <PagedTable
        label="Users"
        columns={columns}
        query={query}
        keyOf={({ id }) => id}
        cursor={cursor}
        turnTo={turnTo}
        skeletonRows={12}
        empty={
          <EmptyState title={isFiltered ? 'No user matches' : 'No users yet'}>
            {isFiltered
              ? 'Clear a filter: all of them must match exactly.'
              : 'Create one for each buyer and seller with POST /api/v1/users.'}
          </EmptyState>
        }
      />
    </ListPage>
  );
}

const columns: readonly Column<User>[] = [
  { header: 'User', cell: ({ id }) => <IdLink id={id} /> },
  { header: 'Your id', cell: ({ externalUserId }) => <span className="hf-clip">{externalUserId}</span> },
  { header: 'E-mail address', cell: ({ email }) => <span className="hf-clip">{email ?? '—'}</span>, isMinor: true },
  { header: 'Role', cell: ({ type }) => wordsOf(type), isMinor: true },
  {
    header: 'Available',
    cell: ({ balance: { available, currency } }) => <Money amount={available} currency={currency} />,
    isNumeric: true,
  },
  { header: 'Reserved', cell: ({ balance: { reserved } }) => <Money amount={reserved} />, isNumeric: true, isMinor: true },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { header: 'Created', cell: ({ createdAt }) => <RelativeTime at={createdAt} />, isMinor: true },
];
