export const findSuspended = {
  name: 'find-suspended',
  text: `
  select id
  from users
  where id = any($1::text[])
    and status = 'SUSPENDED'`,
};

export type SuspendedUserRow = { readonly id: string };
