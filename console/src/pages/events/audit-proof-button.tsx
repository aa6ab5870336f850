import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { AuditProof } from '@holdfast/sdk';
import { useSession } from '../../session/session-context.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Facts } from '../../ui/facts.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';

/** Lets the platform prove that no entry was altered or removed. */
export function AuditProofButton() {
  const { api } = useSession();
  const { mutate, data, error, isPending, reset } = useMutation<AuditProof, unknown>({ mutationFn: () => api.audit.verify() });
  return (
    <>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        Verify the trail
      </Button>
      <Modal
        opened={data !== undefined || error !== null}
        onClose={reset}
        title="Proof of the audit trail"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {error === null ? null : <ErrorBox error={error} />}
        {data === undefined ? null : <Facts facts={factsOf(data)} />}
      </Modal>
    </>
  );
}

function factsOf({ isSound, entries, batches, checkedAt, lastHash, firstBreak }: AuditProof) {
  return [
    { label: 'Result', value: isSound ? <StatusBadge status="Sound" tone="good" /> : <StatusBadge status="Broken" tone="bad" /> },
    { label: 'Entries', value: entries },
    { label: 'Batches', value: batches },
    { label: 'Checked', value: <Time at={checkedAt} /> },
    { label: 'Last hash', value: <code>{lastHash}</code> },
    { label: 'First break', value: firstBreak === null ? null : `${firstBreak.fault} at ${firstBreak.position}` },
  ];
}
