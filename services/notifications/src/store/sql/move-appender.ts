/**
 * The first statement of every append: one after the other, under the newest token, from where the log was believed to end.
 * Whoever is mistaken in that would leave no token, which the table refuses, and all that was sent along is undone.
 */
export const moveAppender = {
  name: 'move-appender',
  text: `
  update appender
  set token = case when token = $1 and last_position = $2 and audit_position = $3 then token end,
    last_position = $4,
    audit_position = $5,
    audit_hash = $6,
    audit_batch = $7,
    audit_seal = $8`,
};
