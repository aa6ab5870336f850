import { useState, type SyntheticEvent } from 'react';
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Dispute } from '@holdfast/sdk';
import { useListPage } from '../../data/use-read.js';
import { useMay, useSession } from '../../session/session-context.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ErrorBox } from '../../ui/error-box.js';
import { QueryView } from '../../ui/query-view.js';
import { Time } from '../../ui/time.js';

const shownMax = 100;
const textMax = 2_000;

export function Comments({ dispute: { id } }: { readonly dispute: Dispute }) {
  const mayComment = useMay('support');
  const query = useListPage(['disputes.listComments', id], (api) => api.disputes.listComments(id, { limit: shownMax }), {
    isEnabled: mayComment,
  });
  if (!mayComment) return <EmptyState title="For support only">Comments need a key with the scope “support”.</EmptyState>;
  return (
    <>
      <QueryView query={query} lines={3}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState title="No comments">Note what you have found out, for those who decide.</EmptyState>
          ) : (
            <ol className="hf-entries">
              {records.map(({ id: key, author, text, createdAt }) => (
                <li key={key}>
                  <p className="hf-hint">
                    {author} · <Time at={createdAt} />
                  </p>
                  <p className="hf-prose">{text}</p>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
      <NewComment id={id} />
    </>
  );
}

function NewComment({ id }: { readonly id: string }) {
  const { api } = useSession();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const { mutate, isPending, error } = useMutation<unknown, unknown>({
    mutationFn: () => api.disputes.createComment(id, { text: text.trim() }),
    onSuccess: () => {
      setText('');
      return client.invalidateQueries({ queryKey: ['disputes.listComments', id] });
    },
  });
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (text.trim() !== '' && !isPending) mutate();
  };
  return (
    <form className="hf-new-entry" onSubmit={send}>
      <Textarea
        label="New comment"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={textMax}
        autosize
        minRows={2}
      />
      {error === null ? null : <ErrorBox error={error} />}
      <Button type="submit" variant="default" loading={isPending} disabled={text.trim() === ''}>
        Add comment
      </Button>
    </form>
  );
}
