import { variableName } from './read-config.js';
import { settingFacts, type SettingsSchema } from './setting.js';

/** One row of the settings table in the docs. */
export type ListedSetting = {
  readonly name: string;
  readonly description: string;
  readonly expected: string;
  readonly defaultText: string | undefined;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
};

export function listSettings(schema: SettingsSchema): readonly ListedSetting[] {
  return Object.entries(schema.shape).map(([field, inner]) => {
    const { description, expected, defaultText, isRequired, isSecret } = settingFacts(inner);
    return {
      name: variableName(field),
      description,
      expected,
      defaultText: isSecret ? undefined : defaultText,
      isRequired,
      isSecret,
    };
  });
}
