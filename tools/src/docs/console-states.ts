import type { StateTable } from './states-page.js';

/** What people act on in the console. */
const shown = ['User', 'Order', 'Milestone', 'Dispute', 'Topup', 'Withdrawal', 'Case'];

/** The states and moves of the aggregates as the console imports them, so that it offers what the services allow. */
export function consoleStates(tables: readonly StateTable[]): string {
  const sections = tables.filter(({ aggregate }) => shown.includes(aggregate)).map(section);
  return `// Written by \`npm run generate\` from the state tables of the services. Do not edit.\n\n${sections.join('\n')}`;
}

function section({ aggregate, initial, moves }: StateTable): string {
  const name = aggregate.toLowerCase();
  const states = new Set([initial, ...Object.values(moves).flatMap(({ from, to }) => [...from, to])]);
  const rows = Object.entries(moves).map(([move, { from }]) => `  ${move}: ${listOf(from)},`);
  return `export const ${name}Statuses = ${listOf([...states])} as const;

/** The states from which each move is allowed. */
export const ${name}Moves = {
${rows.join('\n')}
} as const;
`;
}

function listOf(texts: readonly string[]): string {
  return `[${texts.map((text) => `'${text}'`).join(', ')}]`;
}
