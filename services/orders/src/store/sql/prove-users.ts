/** Fails where one of them is no longer what it was in that version. */
export const proveUsers = {
  name: 'prove-users',
  text: `
  select demand(count(*) = cardinality($1::text[]), 'HF003', 'a user was changed meanwhile')
  from unnest($1::text[], $2::bigint[]) as given (id, version)
  join users on users.id = given.id and users.version = given.version`,
};
