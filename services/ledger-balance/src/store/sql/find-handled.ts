/** Whether a message was handled. A transfer with its id as cause outlives the pruning of the inbox. */
export const findHandled = {
  name: 'find-handled-message',
  text: `
  select 1
  from inbox
  where consumer = $1 and message_id = $2
  union all
  select 1
  from transfers
  where cause = $2
  limit 1`,
};
