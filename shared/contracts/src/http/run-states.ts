/** The states of an open saga run, as an operator judges it. */
export const openRunStates = ['RUNNING', 'RETRYING', 'OVERDUE', 'CONTRADICTED'] as const;
export type OpenRunState = (typeof openRunStates)[number];

export const runStates = [...openRunStates, 'SUCCEEDED', 'FAILED'] as const;
export type RunState = (typeof runStates)[number];
