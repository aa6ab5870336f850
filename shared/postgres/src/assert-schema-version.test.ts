import { assertSchemaVersion, recordedName } from './assert-schema-version.js';
import type { MigrationFile } from './migration-file.js';

function aFile(group: string, number: number, compatibleSince = number, checksum = 'c0ffee'): MigrationFile {
  const key = `${group}/${String(number).padStart(4, '0')}-change.sql`;
  return { key, group, number, compatibleSince, sql: '', checksum, order: 1_000_000_000_000 + number };
}

const first = aFile('orders', 1);
const compatible = aFile('orders', 2, 1);
const breaking = aFile('orders', 3, 2);

describe('the version of a schema', () => {
  it('is the version of the code if both have the same migrations', () => {
    expect(assertSchemaVersion([first, compatible].map(recordedName), [first, compatible])).toEqual({ missing: [], newer: [] });
  });

  it('names the migrations that the schema lacks, in their order', () => {
    expect(assertSchemaVersion([], [first, compatible])).toEqual({ missing: [first.key, compatible.key], newer: [] });
  });

  it('may be newer than the code where each newer migration is compatible with it', () => {
    expect(assertSchemaVersion([first, compatible].map(recordedName), [first])).toEqual({ missing: [], newer: [compatible.key] });
    expect(assertSchemaVersion([first, compatible, breaking].map(recordedName), [first, compatible])).toMatchObject({
      newer: [breaking.key],
    });
  });

  it('is refused where one newer migration needs newer code', () => {
    const applied = [first, compatible, breaking].map(recordedName);
    expect(() => assertSchemaVersion(applied, [first])).toThrow(
      /newer version: it applied the migration orders\/0003-change\.sql, .* version 0002 of orders or later; this is 0001/,
    );
  });

  it('is refused where a newer migration does not say what it is compatible with', () => {
    expect(() => assertSchemaVersion([first, aFile('orders', 2)].map(recordedName), [first])).toThrow(/newer version/);
  });

  it('counts each group of migrations on its own', () => {
    const applied = [first, aFile('intents', 1, 0), aFile('intents', 2, 0)].map(recordedName);
    expect(assertSchemaVersion(applied, [first]).newer).toHaveLength(2);
    expect(() => assertSchemaVersion([first, aFile('intents', 1)].map(recordedName), [first])).toThrow(
      /of intents or later; this is 0000/,
    );
  });

  it('is refused where a migration was edited after it had been applied', () => {
    const edited = aFile('orders', 1, 1, 'decade');
    expect(() => assertSchemaVersion([recordedName(first)], [edited])).toThrow(/another edition of the migration orders\/0001/);
  });
});

describe('the recorded name of a migration', () => {
  it('ends with the 13 digits by which it is sorted, and names an older compatible version', () => {
    expect(recordedName(first)).toBe('orders/0001-change.sql c0ffee 1000000000001');
    expect(recordedName(compatible)).toBe('orders/0002-change.sql c0ffee compatible-since-1 1000000000002');
  });
});
