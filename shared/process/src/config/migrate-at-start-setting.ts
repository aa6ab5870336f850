import { booleanSetting, type Setting } from './setting.js';

export function migrateAtStartSetting(): Setting<boolean> {
  return booleanSetting({
    description:
      'Whether the process creates its role and schema and runs its migrations; false where `npm run migrate` did it: it then waits for them',
    default: true,
  });
}
