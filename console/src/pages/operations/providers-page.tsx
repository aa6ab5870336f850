import type { ProviderControls } from '@holdfast/sdk';
import { useRead } from '../../data/use-read.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PartsPage } from '../../ui/parts-page.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { capColumns } from '../money/treasury-page.js';
import { EmergencyStopSection } from './emergency-stop-section.js';
import { OperationsTabs } from './operations-tabs.js';
import { Unavailable } from '../../ui/unavailable.js';

const everyMs = 15_000;

type OfService = ProviderControls['services'][number];
type Provider = OfService['providers'][number];

export function ProvidersPage() {
  const query = useRead(['operations.getProviders'], (api) => api.operations.getProviders(), { everyMs });
  return (
    <PartsPage title="Operations" tabs={<OperationsTabs />} request={{ operation: 'operations.getProviders' }}>
      <QueryView query={query}>
        {({ emergencyStop, services, unavailable }) => (
          <>
            <Unavailable services={unavailable} />
            <EmergencyStopSection stop={emergencyStop} />
            {services.map((service) => (
              <ServiceSection key={service.service} of={service} />
            ))}
          </>
        )}
      </QueryView>
    </PartsPage>
  );
}

function ServiceSection({ of: { service, isStopped, providers, caps } }: { readonly of: OfService }) {
  return (
    <Section
      title={service}
      isFlush
      actions={isStopped ? <StatusBadge status="STOPPED" /> : <StatusBadge status="WORKING" tone="good" />}
    >
      <DataTable
        label={`Providers of ${service}`}
        columns={providerColumns}
        rows={providers}
        keyOf={({ name }) => name}
        empty={<EmptyState title="Calls no provider">It only starts what others sign or pay out.</EmptyState>}
      />
      {caps.length === 0 ? null : (
        <DataTable
          label={`Spending caps of ${service}`}
          columns={capColumns}
          rows={caps}
          keyOf={({ name }) => name}
          empty={null}
        />
      )}
    </Section>
  );
}

const providerColumns: readonly Column<Provider>[] = [
  { header: 'Provider', cell: ({ name }) => name },
  {
    header: 'Kind',
    cell: ({ kind }) => <StatusBadge status={kind} tone={kind === 'sandbox' ? 'busy' : 'quiet'} />,
    isMinor: true,
  },
  { header: 'Health', cell: ({ health }) => <StatusBadge status={health.status} tone={toneOfHealth(health.status)} /> },
  { header: 'Breaker', cell: ({ breaker }) => <Breaker breaker={breaker} />, isMinor: true },
  { header: 'Calls left', cell: ({ budget }) => <Budget budget={budget} />, isNumeric: true },
];

function toneOfHealth(status: Provider['health']['status']): 'good' | 'bad' | 'quiet' {
  if (status === 'healthy') return 'good';
  return status === 'unhealthy' ? 'bad' : 'quiet';
}

function Breaker({ breaker }: Pick<Provider, 'breaker'>) {
  if (breaker === null) return <span className="hf-dimmed">none</span>;
  return <StatusBadge status={breaker} tone={breaker === 'closed' ? 'good' : 'bad'} />;
}

function Budget({ budget }: Pick<Provider, 'budget'>) {
  if (budget === null) return <span className="hf-dimmed">no limit</span>;
  return `${budget.callsLeft} of ${budget.callsMax} in ${budget.windowMs / 1_000} s`;
}
