/** Every append begins here: one after the other, and only under the newest token. */
export const lockAppender = {
  name: 'lock-appender',
  text: `
  select last_position, audit_position, audit_hash, audit_batch, audit_seal
  from appender
  where token = $1
  for update`,
};
