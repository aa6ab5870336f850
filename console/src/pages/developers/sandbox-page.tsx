import { useIsSandbox } from '../../data/use-is-sandbox.js';
import { useMay } from '../../session/session-context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { PartsPage } from '../../ui/parts-page.js';
import { DevelopersTabs, DocumentLinks } from './developers-tabs.js';
import { FaultsSection } from './faults-section.js';
import { SandboxPaymentsSection } from './sandbox-payments-section.js';
import { TestClockSection } from './test-clock-section.js';

/** What a developer does to the simulated systems outside. */
export function SandboxPage() {
  const isSandbox = useIsSandbox();
  const mayWrite = useMay('write');
  return (
    <PartsPage title="Developers" tabs={<DevelopersTabs />} actions={<DocumentLinks />}>
      {isSandbox && mayWrite ? (
        <>
          <TestClockSection />
          <SandboxPaymentsSection />
          <FaultsSection />
        </>
      ) : (
        <EmptyState title="No sandbox here">
          The providers are real ones, or your key may not write. On the sandbox this page moves time, money and faults.
        </EmptyState>
      )}
    </PartsPage>
  );
}
