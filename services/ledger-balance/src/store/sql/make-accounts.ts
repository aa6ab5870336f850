/** Makes accounts of one kind, users' excepted, where they are missing. Given in the order that everybody makes them in. */
export const makeAccounts = {
  name: 'make-accounts',
  text: `
  insert into accounts (kind, owner, currency, updated_at)
  select $1::text, unnest($2::text[]), unnest($3::text[]), $4::timestamptz
  on conflict (owner, currency, kind) do nothing`,
};
