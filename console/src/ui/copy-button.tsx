import { ActionIcon, CopyButton as MantineCopyButton } from '@mantine/core';
import { Icon } from './icon.js';

/** Copies a text that is on the screen. */
export function CopyButton({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon
          className="hf-copy"
          variant="subtle"
          color="gray"
          size="xs"
          onClick={copy}
          aria-label={copied ? 'Copied' : `Copy ${label}`}
        >
          <Icon name={copied ? 'check' : 'copy'} size={13} />
        </ActionIcon>
      )}
    </MantineCopyButton>
  );
}
