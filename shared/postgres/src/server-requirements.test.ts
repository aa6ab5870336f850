import { serverFaults, type LoginFacts, type ServerFacts } from './server-requirements.js';

const needs = {
  database: 'holdfast',
  schema: 'orders',
  ownerRole: 'holdfast_orders',
  appRole: 'holdfast_orders_app',
  connections: 13,
};
const administrator: LoginFacts = {
  name: 'admin',
  isSuperuser: false,
  canCreateRoles: true,
  canCreateSchemas: true,
  rolesFound: [],
  rolesOfOthers: [],
  schemaOwner: undefined,
};
const owner: LoginFacts = {
  ...administrator,
  name: needs.ownerRole,
  canCreateRoles: false,
  canCreateSchemas: false,
  rolesFound: [needs.ownerRole, needs.appRole],
  schemaOwner: needs.ownerRole,
};
const server: ServerFacts = {
  versionNumber: 150_004,
  version: '15.4',
  encoding: 'UTF8',
  isStandby: false,
  isReadOnly: false,
  connectionsMax: 97,
  connectionsOpen: 0,
  login: administrator,
};

function faultsOf(facts: Partial<ServerFacts>, login: Partial<LoginFacts> = {}): readonly string[] {
  return serverFaults({ ...server, ...facts, login: { ...administrator, ...login } }, needs);
}

describe('a database server', () => {
  it.each([
    ['an administrator', {}],
    ['a superuser', { isSuperuser: true, canCreateRoles: false, canCreateSchemas: false, rolesOfOthers: [needs.appRole] }],
    ['the owner of the schema', owner],
    ['the serving role', { name: needs.appRole, canCreateRoles: false, canCreateSchemas: false }],
  ])('is fit for %s', (_, login) => {
    expect(faultsOf({}, login)).toEqual([]);
  });

  it('of an old version is refused for that alone', () => {
    expect(faultsOf({ versionNumber: 140_012, version: '14.12', encoding: '' })).toEqual([
      'The server is Postgres 14.12; at least version 15 is needed.',
    ]);
  });

  it('is refused with every reason', () => {
    expect(faultsOf({ isStandby: true, isReadOnly: true, encoding: 'LATIN1', connectionsMax: 10 })).toEqual([
      'The server is a standby, which cannot be written to; give the address of the primary.',
      "The database holdfast has the encoding LATIN1; create one with encoding 'UTF8'.",
      'This process needs 13 connections, and the server allows 10 to all of them; raise max_connections or lower DATABASE_POOL_MAX.',
    ]);
    expect(faultsOf({ isReadOnly: true }).join()).toContain('default_transaction_read_only');
  });
});

describe('the login of a database URL', () => {
  it('is refused without the rights to create roles and the schema', () => {
    expect(faultsOf({}, { canCreateRoles: false, canCreateSchemas: false })).toEqual([
      'The login admin may not create roles: as a superuser, run: alter role admin createrole;',
      'The login admin may not create schemas: run: grant create on database holdfast to admin;',
    ]);
  });

  it('is refused from Postgres 16 on when another login created the roles', () => {
    const login = { rolesFound: [needs.ownerRole, needs.appRole], rolesOfOthers: [needs.appRole], schemaOwner: needs.ownerRole };
    expect(faultsOf({}, login)).toEqual([]);
    expect(faultsOf({ versionNumber: 160_000 }, login)).toEqual([
      'The login admin may not alter the roles holdfast_orders_app, which another login created: as a superuser, run: grant holdfast_orders_app to admin with admin option;',
    ]);
  });

  it("is refused as the schema's owner without the schema or the serving role", () => {
    expect(faultsOf({}, { ...owner, schemaOwner: undefined, rolesFound: [needs.ownerRole] })).toEqual([
      'The login holdfast_orders needs a schema orders of its own: create schema orders authorization holdfast_orders;',
      "The role holdfast_orders_app does not exist; an administrator's login in DATABASE_URL creates it.",
    ]);
  });
});
