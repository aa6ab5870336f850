import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import type { Milestone, Order } from '@holdfast/sdk';
import { useMay, useSession } from '../../session/session-context.js';
import { Icon } from '../../ui/icon.js';
import { milestoneActions, type MilestoneAction } from './allowed-actions.js';
import { DisputeDialog } from './dispute-dialog.js';
import { MilestoneDialog } from './milestone-dialog.js';
import { milestoneLabels } from './milestone-action-texts.js';

type MilestoneActionsProps = { readonly order: Order; readonly milestone: Milestone };

/** What can be done with the milestone in its state. */
export function MilestoneActions({ order, milestone }: MilestoneActionsProps) {
  const mayWrite = useMay('write');
  const [chosen, setChosen] = useState<MilestoneAction>();
  const actions = mayWrite ? milestoneActions(order, milestone) : [];
  if (actions.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={13} />} aria-label={`Actions of ${milestone.ref}`}>
            Actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item key={action} onClick={() => setChosen(action)} {...(isHarsh(action) ? { color: 'red' } : {})}>
              {milestoneLabels[action]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Chosen {...{ order, milestone, action: chosen }} onClose={() => setChosen(undefined)} />
    </>
  );
}

function isHarsh(action: MilestoneAction): boolean {
  return action === 'refund' || action === 'dispute';
}

type ChosenProps = MilestoneActionsProps & { readonly action: MilestoneAction | undefined; readonly onClose: () => void };

function Chosen({ order, milestone, action, onClose }: ChosenProps) {
  const { api } = useSession();
  if (action === undefined) return null;
  if (action === 'dispute')
    return (
      <DisputeDialog
        about={`milestone ${milestone.ref}`}
        run={({ evidence = [], ...input }) =>
          api.orders.disputeMilestone(order.id, milestone.ref, {
            ...input,
            ...(evidence.length === 0 ? {} : { evidence: { text: evidence.join('\n') } }),
          })
        }
        onClose={onClose}
      />
    );
  return <MilestoneDialog {...{ order, milestone, action, onClose }} />;
}
