import { useId, useRef, type ReactNode } from 'react';
import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ErrorBox } from './error-box.js';

export type ActionDialogProps = {
  readonly title: string;
  /** What it will do, before it is done. */
  readonly consequence: ReactNode;
  readonly confirmLabel: string;
  /** What cannot be taken back, or takes something from a person. */
  readonly isDestructive?: boolean;
  /** Whether the fields hold what is needed. */
  readonly isReady?: boolean;
  /** Fields that the action needs. */
  readonly children?: ReactNode;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Called with the result before the dialog closes. */
  readonly onDone?: (result: unknown) => void;
};

/** Confirms an action. It is sent once: a second press does nothing, and the dialog stays open until there is an outcome. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, consequence, confirmLabel, isDestructive = false, isReady = true, children, onClose } = props;
  const textId = useId();
  const { isPending, error, send } = useSending(props);
  return (
    <Modal
      opened
      onClose={() => (isPending ? undefined : onClose())}
      title={title}
      aria-describedby={textId}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        className="hf-dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) send();
        }}
      >
        <div id={textId}>{consequence}</div>
        {children}
        {error === null ? null : <ErrorBox error={error} />}
        <div className="hf-dialog-buttons">
          <Button variant="default" onClick={onClose} disabled={isPending}>
            Keep as it is
          </Button>
          <Button type="submit" color={isDestructive ? 'red' : 'kelp'} loading={isPending} disabled={!isReady}>
            {confirmLabel}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

/** After any outcome everything on the screen is read again: a refused action may have found another state. */
function useSending({ run, onDone, onClose }: Pick<ActionDialogProps, 'run' | 'onDone' | 'onClose'>) {
  const client = useQueryClient();
  const isSent = useRef(false);
  const { mutate, isPending, error } = useMutation<unknown, unknown>({
    mutationFn: run,
    onSuccess: (result) => {
      onDone?.(result);
      onClose();
    },
    onSettled: async () => {
      isSent.current = false;
      await client.invalidateQueries();
    },
  });
  const send = (): void => {
    if (isSent.current) return;
    isSent.current = true;
    mutate();
  };
  return { isPending, error, send };
}
