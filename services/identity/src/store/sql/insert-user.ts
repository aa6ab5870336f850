/**
 * A rival with the same external id waits here until this transaction has ended, and then inserts nothing: of any number of
 * parallel creates exactly one makes the user.
 */
export const insertUser = `
  insert into users (id, marketplace_id, external_user_id, email, type, status, metadata, version, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (marketplace_id, external_user_id) do nothing
  returning id`;
