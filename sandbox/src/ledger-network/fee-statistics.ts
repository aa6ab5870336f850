const percents = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99];
const fields = ['max', 'min', 'mode', ...percents.map((percent) => `p${percent}`)];

/** The statistics of a network on which everybody pays the same per operation, by the names that both interfaces use. */
export function sameFees(units: bigint): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, units.toString()]));
}
