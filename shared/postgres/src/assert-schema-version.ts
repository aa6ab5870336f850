import type { MigrationFile } from './migration-file.js';

/** A row of the table `migrations`, parsed from its name. */
type AppliedMigration = {
  readonly key: string;
  readonly checksum: string;
  readonly group: string;
  readonly number: number;
  /** The oldest version of the group whose code may run on the schema after this migration. */
  readonly compatibleSince: number;
};

const compatiblePrefix = 'compatible-since-';

/** How the table `migrations` records a file. TypeORM sorts by the last 13 characters, which must be a number. */
export function recordedName({ key, checksum, number, compatibleSince, order }: MigrationFile): string {
  const compatible = compatibleSince < number ? [`${compatiblePrefix}${compatibleSince}`] : [];
  return [key, checksum, ...compatible, order].join(' ');
}

export type SchemaVersion = {
  /** Migrations of this version that the schema lacks. */
  readonly missing: readonly string[];
  /** Migrations of a newer version, on which this version may run. */
  readonly newer: readonly string[];
};

/**
 * Compares the migrations that were applied to a schema with the migrations of this version. Throws, in words for an operator, if this
 * version must not run on the schema. Either a migration was edited after it had been applied, or a newer version applied one that is not
 * marked as compatible with this version. The function is pure, so that every way of starting decides by the same rule. See ADR 0062.
 */
export function assertSchemaVersion(applied: readonly string[], files: readonly MigrationFile[]): SchemaVersion {
  const known = new Map(files.map((file) => [file.key, file]));
  const rows = applied.map(parseRecordedName);
  for (const row of rows) assertSameEdition(row, known.get(row.key));
  const newer = rows.filter(({ key }) => !known.has(key));
  for (const row of newer) assertCompatible(row, versionOf(row.group, files));
  const present = new Set(rows.map(({ key }) => key));
  return {
    missing: files.map(({ key }) => key).filter((key) => !present.has(key)),
    newer: newer.map(({ key }) => key),
  };
}

function parseRecordedName(name: string): AppliedMigration {
  const [key = '', checksum = '', third = ''] = name.split(' ');
  const [group = '', file = ''] = key.split('/');
  const number = Number.parseInt(file, 10);
  const compatibleSince = third.startsWith(compatiblePrefix) ? Number(third.slice(compatiblePrefix.length)) : number;
  return { key, checksum, group, number, compatibleSince };
}

function assertSameEdition({ key, checksum }: AppliedMigration, file: MigrationFile | undefined): void {
  if (file === undefined || file.checksum === checksum) return;
  throw new Error(
    `The tables of these data were made by another edition of the migration ${key}, and do not fit this version. Nothing was changed in them. ` +
      'To keep the data, start the version that wrote them; to delete the data of npm start and begin anew, run: npm run reset',
  );
}

/** 0 where this version does not know the group. */
function versionOf(group: string, files: readonly MigrationFile[]): number {
  return Math.max(0, ...files.filter((file) => file.group === group).map(({ number }) => number));
}

function assertCompatible({ key, group, compatibleSince }: AppliedMigration, version: number): void {
  if (compatibleSince <= version) return;
  throw new Error(
    `The data were written by a newer version: it applied the migration ${key}, which this version does not have and which needs ` +
      `code of version ${numbered(compatibleSince)} of ${group} or later; this is ${numbered(version)}. Nothing was changed. Start the newer version.`,
  );
}

function numbered(version: number): string {
  return String(version).padStart(4, '0');
}
