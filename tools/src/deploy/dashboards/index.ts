import { ledger } from './ledger.js';
import { messaging } from './messaging.js';
import { overview } from './overview.js';
import { processes } from './processes.js';
import { providers } from './providers.js';
import { sagas } from './sagas.js';
import { stream } from './stream.js';

export const dashboards = [overview, sagas, ledger, providers, messaging, stream, processes] as const;
