import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Statement } from '@holdfast/sdk';
import { nowMs } from '../../clock.js';
import { choiceOf, useFilters } from '../../data/use-filters.js';
import { useRead } from '../../data/use-read.js';
import { useSession } from '../../session/session-context.js';
import { CopyAsMenu } from '../../ui/copy-as-menu.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Icon } from '../../ui/icon.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatementView } from './statement-view.js';
import { monthsOf } from './statement-months.js';

const currencies = ['USD', 'USDC', 'XLM'] as const satisfies readonly Statement['currency'][];

/** What happened to a balance in a period, as a table and as a file. */
export function StatementSection({ userId }: { readonly userId: string }) {
  const { values, page, set, turnTo } = useFilters(['from', 'to', 'currency']);
  const month = monthsOf(nowMs());
  const { from = month.from, to = month.to } = values;
  const currency = choiceOf(currencies, values.currency) ?? 'USD';
  const period = { from, to, currency };
  const query = useRead(['statements.get', userId, { ...period, ...page }], (api) =>
    api.statements.get(userId, { ...period, ...page }),
  );
  return (
    <Section
      title="Statement"
      actions={<CopyAsMenu request={{ operation: 'statements.get', params: [userId], input: period }} />}
      isFlush
    >
      <div className="hf-statement-period">
        <TextInput label="From" type="date" value={from} onChange={(event) => set({ from: event.currentTarget.value })} />
        <TextInput label="To" type="date" value={to} onChange={(event) => set({ to: event.currentTarget.value })} />
        <NativeSelect
          label="Currency"
          value={currency}
          data={[...currencies]}
          onChange={(event) => set({ currency: event.currentTarget.value })}
        />
        <Download {...{ userId, period }} />
      </div>
      <QueryView query={query}>
        {(statement) => <StatementView {...{ statement, turnTo, isFirst: page.cursor === undefined }} />}
      </QueryView>
    </Section>
  );
}

type Period = { readonly from: string; readonly to: string; readonly currency: Statement['currency'] };
type DownloadProps = { readonly userId: string; readonly period: Period };

/** The file has all lines of the period, whatever page is shown. */
function Download({ userId, period }: DownloadProps) {
  const { api, downloadCsv } = useSession();
  const { mutate, isPending, error } = useMutation<unknown, unknown>({
    mutationFn: async () => {
      // Refuses what the file would be refused for, with its code.
      await api.statements.get(userId, { ...period, limit: 1 });
      const path = `/api/v1/users/${encodeURIComponent(userId)}/statements?${new URLSearchParams(period).toString()}`;
      await downloadCsv(path, `statement-${userId}-${period.from}-${period.to}-${period.currency}.csv`);
    },
  });
  return (
    <>
      <Button
        size="sm"
        variant="default"
        loading={isPending}
        onClick={() => mutate()}
        leftSection={<Icon name="down" size={14} />}
      >
        Download CSV
      </Button>
      {error === null ? null : <ErrorBox error={error} />}
    </>
  );
}
