import { messagesAcknowledged, type Envelope, type Payload } from '@holdfast/contracts/messages';
import { publishesAcknowledged } from '@holdfast/contracts/sagas';
import type { ServiceName } from '@holdfast/contracts/services';
import type { Database } from '@holdfast/postgres';
import type { MessageConsumer } from '../inbox/index.js';

type Acknowledged = Payload<typeof messagesAcknowledged>;

/**
 * Handles the acknowledgements of a service's messages. Empty for a service that publishes no acknowledged messages. There is no inbox
 * row, because a repeated acknowledgement finds nothing to remove.
 */
export function acknowledgementConsumers(service: ServiceName, database: Pick<Database, 'pool'>): readonly MessageConsumer[] {
  if (!publishesAcknowledged(service)) return [];
  const run = ({ payload }: Envelope<Acknowledged>): Promise<void> => removeAcknowledged(database, payload);
  return [{ declaration: messagesAcknowledged, run }];
}

// The rows are locked first, so that two consumers who acknowledge one message at the same time see each other. The commit is
// asynchronous, because an acknowledgement lost in a crash of the server only causes one more publish.
const removeAcknowledgedRows = {
  name: 'remove-acknowledged-outbox-rows',
  text: `
  with asynchronous_commit as materialized (
    select set_config('synchronous_commit', 'off', true)
  ),
  acknowledged as materialized (
    select id, array_remove(awaits, $2::text) as awaits
    from outbox
    where message_id = any($1) and $2::text = any(awaits)
    order by id
    for update
  ),
  deleted as (
    delete from outbox
    using acknowledged, asynchronous_commit
    where outbox.id = acknowledged.id and acknowledged.awaits = '{}'
  )
  update outbox
  set awaits = acknowledged.awaits
  from acknowledged
  where outbox.id = acknowledged.id and acknowledged.awaits <> '{}'`,
};

async function removeAcknowledged({ pool }: Pick<Database, 'pool'>, { by, messageIds }: Acknowledged): Promise<void> {
  await pool.query({ ...removeAcknowledgedRows, values: [messageIds, by] });
}
