import { useState } from 'react';
import { NativeSelect } from '@mantine/core';
import { formatSeconds } from '../../data/format-time.js';
import { useRead } from '../../data/use-read.js';
import { useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';
import { Facts } from '../../ui/facts.js';
import { QueryView } from '../../ui/query-view.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';

const steps = [
  { value: 'PT1H', label: 'An hour' },
  { value: 'P1D', label: 'A day' },
  { value: 'P3D', label: 'Three days' },
  { value: 'P7D', label: 'A week' },
  { value: 'P30D', label: '30 days' },
] as const;

const everyMs = 60_000;

export function TestClockSection() {
  const query = useRead(['testClock.get'], (api) => api.testClock.get(), { everyMs });
  return (
    <Section
      title="Test clock"
      actions={<ActionButton label="Advance" look="main" dialog={(close) => <AdvanceDialog onClose={close} />} />}
    >
      <QueryView query={query} lines={2}>
        {({ now, offsetSeconds }) => (
          <Facts
            facts={[
              { label: 'Time of the marketplace', value: <Time at={now} /> },
              { label: 'Ahead of the real time', value: offsetSeconds === 0 ? 'no' : formatSeconds(offsetSeconds) },
            ]}
          />
        )}
      </QueryView>
    </Section>
  );
}

function AdvanceDialog({ onClose }: { readonly onClose: () => void }) {
  const { api } = useSession();
  const [by, setBy] = useState<(typeof steps)[number]['value']>('P1D');
  return (
    <ActionDialog
      title="Advance the test clock"
      consequence="Everything of this marketplace that ends by time until then happens one by one: reviews, delivery dates, deadlines of disputes, top-ups. The clock never goes back."
      confirmLabel="Advance"
      isDestructive
      run={() => api.testClock.advance({ by })}
      onClose={onClose}
    >
      <NativeSelect
        label="By"
        value={by}
        data={[...steps]}
        onChange={(event) => setBy(steps.find(({ value }) => value === event.currentTarget.value)?.value ?? by)}
      />
    </ActionDialog>
  );
}
