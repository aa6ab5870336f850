/** The entries of a backup folder beside its manifest. */
export const entries = {
  /** The files of the database server. */
  database: 'database',
  /** The password of its superuser. */
  password: 'database-password',
  /** The secrets of the data folder, and the mark of its version. */
  secrets: 'secrets',
  sandbox: 'sandbox',
} as const;
