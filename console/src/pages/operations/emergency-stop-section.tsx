import type { ProviderControls } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { Facts } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { OperatorDialog } from './operator-dialog.js';

type Stop = NonNullable<ProviderControls['emergencyStop']>;

/** The switch that stops signing and payouts on the whole platform. */
export function EmergencyStopSection({ stop }: { readonly stop: Stop | null }) {
  if (stop === null) return null;
  const { isStopped, isStoppedBySetting, changedAt, changedBy, reason } = stop;
  const isAnyStopped = isStopped || isStoppedBySetting;
  return (
    <Section title="Emergency stop" actions={<StopButton isStopped={isStopped} />}>
      <Facts
        facts={[
          {
            label: 'Signing and payouts',
            value: isAnyStopped ? <StatusBadge status="STOPPED" /> : <StatusBadge status="WORKING" tone="good" />,
          },
          { label: 'By the setting EMERGENCY_STOP', value: isStoppedBySetting ? 'yes: it outlasts a resume' : 'no' },
          { label: 'Last changed', value: <Time at={changedAt} none="never" /> },
          { label: 'By', value: changedBy },
          { label: 'Why', value: reason },
        ]}
      />
    </Section>
  );
}

function StopButton({ isStopped }: Pick<Stop, 'isStopped'>) {
  const { api } = useSession();
  return (
    <ActionButton
      label={isStopped ? 'Resume' : 'Stop signing and payouts'}
      look={isStopped ? 'main' : 'danger'}
      dialog={(close) => (
        <OperatorDialog
          title={isStopped ? 'Resume signing and payouts' : 'Stop signing and payouts'}
          consequence={
            isStopped
              ? 'Everything that has waited resumes at once, in all marketplaces.'
              : 'Nothing is signed and no payout is requested any more, in all marketplaces, until a person resumes it. What has left already is not called back.'
          }
          confirmLabel={isStopped ? 'Resume' : 'Stop'}
          isDestructive
          run={(operator) => api.operations.setEmergencyStop({ isStopped: !isStopped, ...operator })}
          onClose={close}
        />
      )}
    />
  );
}
