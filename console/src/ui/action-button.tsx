import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';

type ActionButtonProps = {
  readonly label: string;
  readonly look?: 'main' | 'plain' | 'danger';
  /** What opens: usually an `ActionDialog`. */
  readonly dialog: (close: () => void) => ReactNode;
};

const looks = {
  main: { variant: 'filled' },
  plain: { variant: 'default' },
  danger: { variant: 'light', color: 'red' },
} as const;

/** A button that opens the dialog of an action. */
export function ActionButton({ label, look = 'plain', dialog }: ActionButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...looks[look]} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? dialog(() => setOpen(false)) : null}
    </>
  );
}
