import type { SettingsPart } from './settings-page.js';
import type { StateTable } from './states-page.js';

/** The state tables of all services. A test of the docs fails when one is missing here. */
export const stateTables: readonly StateTable[] = [];

/** Whose settings are listed, in reading order. */
export const settingsParts: readonly SettingsPart[] = [];
