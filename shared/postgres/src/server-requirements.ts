/** What a database server reports about itself, the login and the schema of a service. */
export type ServerFacts = {
  /** 150004 is Postgres 15.4. */
  readonly versionNumber: number;
  readonly version: string;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** Connections that are not reserved for superusers or maintenance. */
  readonly connectionsMax: number;
  /** Connections of others that are open now. */
  readonly connectionsOpen: number;
  readonly login: LoginFacts;
};

export type LoginFacts = {
  readonly name: string;
  readonly isSuperuser: boolean;
  readonly canCreateRoles: boolean;
  readonly canCreateSchemas: boolean;
  /** The roles of the service that exist. */
  readonly rolesFound: readonly string[];
  /** Existing roles whose password the login may not set. */
  readonly rolesOfOthers: readonly string[];
  /** Undefined if there is no schema. */
  readonly schemaOwner: string | undefined;
};

export type ServerNeeds = {
  readonly database: string;
  readonly schema: string;
  readonly ownerRole: string;
  readonly appRole: string;
  /** Connections of this process. */
  readonly connections: number;
};

const versionMin = 15;
/** From this version on, a role may only be altered by a login that was given it with the admin option. */
const adminOptionVersion = 160_000;

export function isVersionTooOld(versionNumber: number): boolean {
  return versionNumber < versionMin * 10_000;
}

/** Every reason why a service cannot use the server, as sentences for the person who installs it. */
export function serverFaults(facts: ServerFacts, needs: ServerNeeds): readonly string[] {
  const { versionNumber, version, encoding, isStandby, isReadOnly, connectionsMax } = facts;
  if (isVersionTooOld(versionNumber)) return [`The server is Postgres ${version}; at least version ${versionMin} is needed.`];
  const faults: string[] = [];
  if (isStandby) faults.push('The server is a standby, which cannot be written to; give the address of the primary.');
  else if (isReadOnly) faults.push('The server accepts no writes: default_transaction_read_only is on.');
  if (encoding !== 'UTF8')
    faults.push(`The database ${needs.database} has the encoding ${encoding}; create one with encoding 'UTF8'.`);
  if (needs.connections > connectionsMax) {
    faults.push(
      `This process needs ${needs.connections} connections, and the server allows ${connectionsMax} to all of them; raise max_connections or lower DATABASE_POOL_MAX.`,
    );
  }
  return [...faults, ...loginFaults(facts, needs)];
}

function loginFaults({ login, versionNumber }: ServerFacts, needs: ServerNeeds): readonly string[] {
  if (login.isSuperuser) return [];
  if (login.name === needs.appRole) return [];
  if (login.name === needs.ownerRole) return ownerFaults(login, needs);
  return administratorFaults(login, needs, versionNumber >= adminOptionVersion);
}

/** The login of the schema's owner is given where an administrator has created roles and schema before. */
function ownerFaults({ rolesFound, schemaOwner }: LoginFacts, { schema, ownerRole, appRole }: ServerNeeds): readonly string[] {
  const faults: string[] = [];
  if (schemaOwner !== ownerRole)
    faults.push(
      `The login ${ownerRole} needs a schema ${schema} of its own: create schema ${schema} authorization ${ownerRole};`,
    );
  if (!rolesFound.includes(appRole))
    faults.push(`The role ${appRole} does not exist; an administrator's login in DATABASE_URL creates it.`);
  return faults;
}

function administratorFaults(login: LoginFacts, needs: ServerNeeds, needsAdminOption: boolean): readonly string[] {
  const faults: string[] = [];
  if (!login.canCreateRoles)
    faults.push(`The login ${login.name} may not create roles: as a superuser, run: alter role ${login.name} createrole;`);
  else if (needsAdminOption && login.rolesOfOthers.length > 0) {
    const roles = login.rolesOfOthers.join(', ');
    faults.push(
      `The login ${login.name} may not alter the roles ${roles}, which another login created: as a superuser, run: grant ${roles} to ${login.name} with admin option;`,
    );
  }
  if (!login.canCreateSchemas) {
    faults.push(
      `The login ${login.name} may not create schemas: run: grant create on database ${needs.database} to ${login.name};`,
    );
  }
  return faults;
}
