import type { SagaRun } from '@holdfast/sdk';
import type { PageProps } from '../../page-props.js';
import { useRead } from '../../data/use-read.js';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { IdLink } from '../../ui/id-link.js';
import { ObjectPage } from '../../ui/object-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { wordsOf } from '../../ui/status-words.js';
import { RelativeTime, Time } from '../../ui/time.js';
import { OperatorDialog } from './operator-dialog.js';
import { SagaState } from './sagas-page.js';

const everyMs = 15_000;

export function SagaPage({ params: { id = '' } }: PageProps) {
  const query = useRead(['operations.getSaga', id], (api) => api.operations.getSaga(id), { everyMs });
  return <QueryView query={query}>{(run) => <SagaView run={run} />}</QueryView>;
}

function SagaView({ run }: { readonly run: SagaRun }) {
  const { id, saga, state, endedAt } = run;
  return (
    <ObjectPage
      kind="Saga run"
      id={id}
      title={wordsOf(saga)}
      badge={<SagaState state={state} />}
      actions={endedAt === null ? <RedriveButton id={id} /> : undefined}
      request={{ operation: 'operations.getSaga', params: [id] }}
    >
      <Section title="Run">
        <Facts facts={factsOf(run)} />
      </Section>
    </ObjectPage>
  );
}

function factsOf(run: SagaRun): readonly Fact[] {
  const { service, aggregateId, aggregateStatus, marketplaceId, currentRunId, attempts, retryStoppedReason } = run;
  return [
    { label: 'Driven by', value: service },
    { label: 'About', value: <IdLink id={aggregateId} /> },
    { label: 'Its status', value: aggregateStatus === null ? null : <StatusBadge status={aggregateStatus} /> },
    { label: 'Marketplace', value: <IdLink id={marketplaceId} /> },
    { label: 'Current run', value: currentRunId === null ? null : <IdLink id={currentRunId} /> },
    { label: 'Point of no return', value: run.isPastPointOfNoReturn ? 'Passed: it only goes forward' : 'Not reached' },
    { label: 'Command resent', value: attempts === 1 ? 'once' : `${attempts} times` },
    { label: 'Next retry', value: <RelativeTime at={run.endedAt === null ? run.nextRetryAt : null} /> },
    { label: 'Why no retry helps', value: retryStoppedReason },
    { label: 'Begun', value: <Time at={run.begunAt} /> },
    { label: 'Ended', value: <Time at={run.endedAt} none="not yet" /> },
  ];
}

function RedriveButton({ id }: { readonly id: string }) {
  const { api } = useSession();
  return (
    <ActionButton
      label="Resend its command"
      look="main"
      dialog={(close) => (
        <OperatorDialog
          title="Resend the command"
          consequence="Starts the retries of the run again. A service that has handled the command already repeats its reply, so nothing happens twice."
          confirmLabel="Resend"
          run={(operator) => api.operations.redriveSaga(id, operator)}
          onClose={close}
        />
      )}
    />
  );
}
