import type { User } from '@holdfast/sdk';
import { userMoves } from '../../generated/states.js';
import { useMay, useSession } from '../../session/session-context.js';
import { ActionButton } from '../../ui/action-button.js';
import { ActionDialog } from '../../ui/action-dialog.js';

type Change = {
  readonly to: User['status'];
  readonly from: readonly User['status'][];
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
};

const changes: readonly Change[] = [
  {
    to: 'SUSPENDED',
    from: userMoves.suspend,
    label: 'Suspend',
    title: 'Suspend the user',
    consequence:
      'The user cannot buy, sell, reserve funds, top up or withdraw, and timers that would pay wait. What runs already is completed.',
  },
  {
    to: 'ACTIVE',
    from: userMoves.reinstate,
    label: 'Reinstate',
    title: 'Reinstate the user',
    consequence: 'The user can buy, sell, top up and withdraw again. Timers that have waited resume.',
  },
];

export function UserActions({ user: { id, status } }: { readonly user: User }) {
  const { api } = useSession();
  const mayWrite = useMay('write');
  const allowed = mayWrite ? changes.filter(({ from }) => from.includes(status)) : [];
  return allowed.map(({ to, label, title, consequence }) => (
    <ActionButton
      key={to}
      label={label}
      look={to === 'SUSPENDED' ? 'danger' : 'main'}
      dialog={(close) => (
        <ActionDialog
          title={title}
          consequence={consequence}
          confirmLabel={label}
          isDestructive={to === 'SUSPENDED'}
          run={() => api.users.update(id, { status: to })}
          onClose={close}
        />
      )}
    />
  ));
}
