import { findRunning } from '@holdfast/all-in-one';
import { connectDatabase, type Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import { apiOf, type Api } from '../testing/api.js';
import { newDataDir, startAllInOne, type RunningInstallation } from '../testing/installation.js';

/** A separate platform for what looks at, or changes, all of it: its books, its open runs, its emergency stop, its data. */
export type WholePlatform = RunningInstallation & {
  readonly dataDir: string;
  /** The settings that lead commands to it. */
  readonly settings: Readonly<Record<'HOLDFAST_DATA_DIR' | 'INTERNAL_SECRET', string>>;
  /** The API with the master key. */
  readonly api: Api;
  /** Logs in as a service: a test may do what otherwise only a fault in Holdfast could do. */
  readonly logIn: (service: string) => Promise<Database>;
  /** Closes the databases that were opened. */
  readonly logOut: () => Promise<void>;
};

const internalSecret = 'a-secret-of-the-whole-platform';

/** Every request waits for the end of its saga, however slow the machine is. */
const settlementTimeoutMs = 60_000;

export async function startWholePlatform(): Promise<WholePlatform> {
  const dataDir = newDataDir();
  const settings = { HOLDFAST_DATA_DIR: dataDir, INTERNAL_SECRET: internalSecret };
  const running = await startAllInOne(dataDir, {
    ...settings,
    SAGA_RESOLVE_APPROVAL_AMOUNT: '50.00',
    SETTLEMENT_TIMEOUT_MS: settlementTimeoutMs.toString(),
    LOG_LEVEL: 'warn',
  });
  const opened = new Map<string, Promise<Database>>();
  const open = (service: string): Promise<Database> => {
    const adminUrl = findRunning(dataDir)?.databaseUrl ?? '';
    return connectDatabase({ adminUrl, service, internalSecret, poolMax: 1, log: silentLog });
  };
  return {
    ...running,
    dataDir,
    settings,
    api: apiOf(running.baseUrl, running.masterKey),
    logIn: (service) => {
      const database = opened.get(service) ?? open(service);
      opened.set(service, database);
      return database;
    },
    logOut: async () => {
      const databases = await Promise.all(opened.values());
      opened.clear();
      await Promise.all(databases.map((database) => database.close()));
    },
  };
}
