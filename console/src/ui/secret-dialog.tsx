import { Button, Modal } from '@mantine/core';
import { CopyButton } from './copy-button.js';

type SecretDialogProps = {
  readonly title: string;
  /** What it is for, and where it belongs. */
  readonly use: string;
  readonly secret: string;
  readonly onClose: () => void;
};

/** A secret that the platform shows once. It is gone with the dialog, which no stray click closes. */
export function SecretDialog({ title, use, secret, onClose }: SecretDialogProps) {
  return (
    <Modal opened onClose={onClose} title={title} closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <div className="hf-dialog">
        <p>{use} It is shown now and never again.</p>
        <p className="hf-secret">
          {secret} <CopyButton value={secret} label="the secret" />
        </p>
        <div className="hf-dialog-buttons">
          <Button onClick={onClose}>I have stored it</Button>
        </div>
      </div>
    </Modal>
  );
}
