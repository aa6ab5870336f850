import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Page } from '@holdfast/sdk';
import { DataTable, type Column } from './data-table.js';
import { ErrorBox } from './error-box.js';
import { Icon } from './icon.js';

type PagedTableProps<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly query: Pick<UseQueryResult<Page<Row>, unknown>, 'data' | 'error' | 'isPlaceholderData'> & {
    readonly refetch: () => Promise<unknown>;
  };
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
  /** The cursor of the page that is shown; undefined for the first one. */
  readonly cursor: string | undefined;
  readonly turnTo: (cursor: string | undefined) => void;
  readonly skeletonRows?: number;
};

/** A page of a list with the way to the next one; "back" of the browser leads to the one before. */
export function PagedTable<Row>({ query, cursor, turnTo, ...table }: PagedTableProps<Row>) {
  const { data, error, isPlaceholderData, refetch } = query;
  return (
    <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'hf-turning' : undefined}>
      {error === null ? null : <ErrorBox error={error} onRetry={refetch} />}
      {error !== null && data === undefined ? null : <DataTable {...table} rows={data?.records} />}
      <Pager
        label={table.label}
        isFirst={cursor === undefined}
        next={isPlaceholderData ? undefined : data?.next?.cursor}
        turnTo={turnTo}
      />
    </div>
  );
}

type PagerProps = Pick<PagedTableProps<unknown>, 'label' | 'turnTo'> & {
  readonly isFirst: boolean;
  /** The cursor of the next page, if there is one. */
  readonly next: string | undefined;
};

export function Pager({ label, isFirst, next, turnTo }: PagerProps) {
  if (isFirst && next === undefined) return null;
  return (
    <nav className="hf-pager" aria-label={`Pages of ${label}`}>
      <Button
        variant="default"
        disabled={isFirst}
        onClick={() => turnTo(undefined)}
        leftSection={<Icon name="previous" size={14} />}
      >
        First page
      </Button>
      <Button
        variant="default"
        disabled={next === undefined}
        onClick={() => turnTo(next)}
        rightSection={<Icon name="next" size={14} />}
      >
        Next page
      </Button>
    </nav>
  );
}
