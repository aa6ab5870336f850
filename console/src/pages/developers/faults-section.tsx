import { useState } from 'react';
import { NativeSelect } from '@mantine/core';
import type { SandboxAddFaultInput, SandboxFaults } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { wordsOf } from '../../ui/status-words.js';

const everyMs = 30_000;

const columns: readonly Column<SandboxFaults['faults'][number]>[] = [
  { header: 'System', cell: ({ target }) => wordsOf(target) },
  { header: 'Operation', cell: ({ operation }) => operation ?? 'every one' },
  { header: 'Fault', cell: ({ kind }) => wordsOf(kind) },
  { header: 'Times', cell: ({ times }) => times ?? 'until it is deleted', isNumeric: true },
  { header: 'Has struck', cell: ({ strikes }) => strikes, isNumeric: true },
];

/** Faults of the simulated systems, with which a developer sees how the platform retries and compensates. */
export function FaultsSection() {
  const query = useRead(['sandbox.listFaults'], (api) => api.sandbox.listFaults(), { everyMs });
  return (
    <Section
      title="Faults of the outside systems"
      isFlush
      actions={
        <>
          {query.data === undefined || query.data.faults.length === 0 ? null : (
            <ActionButton label="Delete all" look="danger" dialog={(close) => <ClearDialog onClose={close} />} />
          )}
          <ActionButton label="Add a fault" dialog={(close) => <FaultDialog onClose={close} />} />
        </>
      }
    >
      <QueryView query={query} lines={3}>
        {({ faults }) => (
          <DataTable
            label="Faults"
            columns={columns}
            rows={faults}
            keyOf={({ id }) => id}
            empty={
              <EmptyState title="No faults">Everything outside works. Add a fault to see how an order survives it.</EmptyState>
            }
          />
        )}
      </QueryView>
    </Section>
  );
}

type DialogProps = { readonly onClose: () => void };
const targets = [
  'escrow-provider',
  'ledger-network',
  'payment-provider',
] as const satisfies readonly SandboxAddFaultInput['target'][];
const kinds = [
  'error-before-effect',
  'error-after-effect',
  'timeout-after-effect',
  'rate-limited',
  'malformed',
  'latency',
] as const satisfies readonly SandboxAddFaultInput['kind'][];

function FaultDialog({ onClose }: DialogProps) {
  const { api } = useSession();
  const [target, setTarget] = useState<(typeof targets)[number]>('escrow-provider');
  const [kind, setKind] = useState<(typeof kinds)[number]>('error-before-effect');
  return (
    <ActionDialog
      title="Add a fault"
      consequence="It strikes the next call of any marketplace, once."
      confirmLabel="Add"
      run={() => api.sandbox.addFault({ target, kind })}
      onClose={onClose}
    >
      <NativeSelect
        label="System"
        value={target}
        data={targets.map((value) => ({ value, label: wordsOf(value) }))}
        onChange={(event) => setTarget(targets.find((one) => one === event.currentTarget.value) ?? target)}
      />
      <NativeSelect
        label="Fault"
        value={kind}
        data={kinds.map((value) => ({ value, label: wordsOf(value) }))}
        onChange={(event) => setKind(kinds.find((one) => one === event.currentTarget.value) ?? kind)}
      />
    </ActionDialog>
  );
}

function ClearDialog({ onClose }: DialogProps) {
  const { api } = useSession();
  return (
    <ActionDialog
      title="Delete all faults"
      consequence="This also removes the faults of other marketplaces: the simulated systems are shared."
      confirmLabel="Delete"
      isDestructive
      run={() => api.sandbox.clearFaults()}
      onClose={onClose}
    />
  );
}
