/** A numbered SQL file. The table `migrations` records its group, name, checksum and compatibility. */
export type MigrationFile = {
  readonly key: string;
  readonly group: string;
  readonly number: number;
  /** The oldest version of the group whose code may run on the schema after this migration; its own number where it does not say. */
  readonly compatibleSince: number;
  readonly sql: string;
  readonly checksum: string;
  readonly order: number;
};
