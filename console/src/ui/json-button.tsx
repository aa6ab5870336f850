import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from './copy-button.js';
import { JsonView } from './json-view.js';

type JsonButtonProps = { readonly value: unknown; readonly title: string };

/** Shows a record as the API has it. */
export function JsonButton({ value, title }: JsonButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)} aria-label={`JSON of ${title}`}>
        JSON
      </Button>
      {isOpen ? (
        <Modal opened onClose={() => setOpen(false)} title={title} size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
          <JsonView value={value} label={title} />
          <p className="hf-hint">
            Copy <CopyButton value={JSON.stringify(value, null, 2)} label="the JSON" />
          </p>
        </Modal>
      ) : null}
    </>
  );
}
